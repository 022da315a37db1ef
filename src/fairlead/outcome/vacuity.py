"""Represents the trivial reason why an assertion holds."""

from __future__ import annotations

from enum import Enum
from typing import Any

from fairlead.base.display import presenter
from fairlead.base.records import dataclass


class VacuityCheck(Enum):
    """How much is done to find out whether what holds does so vacuously."""

    NEVER = "never"
    IF_CHEAP = "if cheap"  # what the explored states tell, and in small systems everything
    ALWAYS = "always"

    @classmethod
    def of(cls, wanted: bool | None) -> VacuityCheck:
        """As it is asked for: always, never, or not at all."""
        return {None: cls.IF_CHEAP, True: cls.ALWAYS, False: cls.NEVER}[wanted]


class VacuityKind(Enum):
    """The reasons, most specific first."""

    NO_FAIR_EXECUTION = "no-fair-execution"
    TAUTOLOGY = "tautology"  # it holds in every system
    PROPOSITION = "proposition"  # an atom is never true, or always: so a part of the formula does not matter
    ANTECEDENT = "antecedent"  # the condition of an implication asks for nothing
    PART = "part"  # some other part of the formula does not matter
    STRONGER = "stronger"  # more holds than was asked for; no trivial reason


@dataclass(frozen=True)
class ConstantAtom:
    """An atom that has one value throughout, and what may have been meant instead."""

    text: str
    value: bool
    is_event: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class Vacuity:
    """A reason.

    `part` of the formula plays no role: `stronger`, which is the formula (or one of its conjuncts) with
    the strongest constant in its place, holds too. If it `asks_nothing`, the part is the consequent of an
    implication; `condition` is that of the implication, where it is never true, or not in fair executions
    (`only_fair`). `atoms` have one value throughout, and that is why.
    """

    kind: VacuityKind
    part: str | None = None
    stronger: str | None = None
    condition: str | None = None
    only_fair: bool = False
    atoms: tuple[ConstantAtom, ...] = ()
    asks_nothing: bool = False
    detail: str | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether the assertion says nothing; otherwise it could say more."""
        return self.kind is not VacuityKind.STRONGER

    @property
    def text(self) -> str:
        """The reason in a sentence."""
        return presenter().text(self)

    def to_json(self) -> dict[str, Any]:
        """For programs."""
        texts = {"part": self.part, "stronger": self.stronger, "condition": self.condition}
        data: dict[str, Any] = {"kind": self.kind.value}
        data |= {name: text for name, text in texts.items() if text is not None}
        if self.atoms:
            data["atoms"] = [
                {"atom": atom.text, "value": atom.value, **({} if atom.hint is None else {"hint": atom.hint})}
                for atom in self.atoms
            ]
        return data
