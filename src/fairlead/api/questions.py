"""Turns the arguments of `Model.check` into a question: an assertion or a formula, and its notions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fairlead.base.arguments import PROCESS, Expected, argument_error
from fairlead.checker.keywords import OptionArguments
from fairlead.logic.fairness.notions import Fairness, parse_fairness
from fairlead.model.assertion import Assertion, Refinement, Refines, parse_refinement
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.network import Network

if TYPE_CHECKING:
    from fairlead.api.model import Model

Question = str | Assertion


class CheckArguments(OptionArguments, total=False):
    """The keyword arguments of `Model.check`: a formula and what it is about, and the options."""

    ltl: str
    ctl: str
    process: str | None
    finite_paths: bool


_EXPECTED = {
    "ltl": Expected("a formula of LTL as text", (str,)),
    "ctl": Expected("a formula of CTL as text", (str,)),
    "process": PROCESS,
    "finite_paths": Expected("True or False", (bool,)),
}
_ALL = "all"
#: the arguments of `check_all` and `check` that are not options
ALL_NAMES = ("assertions", "fairness", "reporter", "options")
CHECK_NAMES = ("assertion", "fairness", "reporter", "options", *_EXPECTED)


def asked_for(
    model: Model, assertion: Question | None, given: Mapping[str, Any]
) -> tuple[Assertion, dict[str, Any]]:
    """The question that keyword arguments of `check` ask, and those of them that are options."""
    asked = {name: value for name, value in given.items() if name in _EXPECTED}
    rest = {name: value for name, value in given.items() if name not in _EXPECTED}
    for name, value in asked.items():
        _EXPECTED[name].check("check", name, value)
    ways = [name for name in ("ltl", "ctl") if name in asked]
    if len(ways) + (assertion is not None) != 1:
        said = " and ".join(["an assertion"] * (assertion is not None) + [f"'{way}'" for way in ways])
        raise argument_error(
            f"check() needs one question, not {said or 'none'}",
            "give an assertion, or a formula as 'ltl' or 'ctl'; check_all() answers those of the file",
        )
    process, finite_paths = asked.get("process"), asked.get("finite_paths", False)
    if finite_paths and ways != ["ctl"]:
        raise argument_error("check(): 'finite_paths' is for 'ctl'")
    if assertion is not None:
        if process is not None:
            raise argument_error("check(): 'process' is for 'ltl' and 'ctl'; an assertion names its process")
        return (model.asked(assertion) if isinstance(assertion, str) else assertion), rest
    if ways == ["ltl"]:
        return model.formula(asked["ltl"], process), rest
    return model.ctl(asked["ctl"], process, finite_paths=finite_paths), rest


def notions_of(fairness: object, *, in_a_text: bool = False) -> tuple[Fairness, ...] | None:
    """The notions, if several are asked for: in a list or as "all"; with `in_a_text` also as "ewf,esf"."""
    match fairness:
        case None:
            return None
        case Fairness():
            return (fairness,) if in_a_text else None
        case str():
            return parse_fairness(fairness) if in_a_text or fairness.strip() == _ALL else None
        case Sequence():
            found: dict[Fairness, None] = {}
            for one in fairness:
                Expected("names of notions, or Fairness", (str, Fairness)).check("check", "fairness", one)
                found |= dict.fromkeys((one,) if isinstance(one, Fairness) else parse_fairness(one))
            if not found:
                raise argument_error("check(): 'fairness' must have at least one notion")
            return tuple(found)
    raise AssertionError("the type has been checked")


def notion_of(fairness: object) -> Fairness | None:
    """The one notion that is asked for, or None."""
    if fairness is None or isinstance(fairness, Fairness):
        return fairness
    assert isinstance(fairness, str)
    found = parse_fairness(fairness)
    if len(found) > 1:
        names = [notion.value for notion in found]
        raise argument_error(
            f"'{fairness}' are {len(found)} notions of fairness", f"for all of them, give a list: {names}"
        )
    return found[0]


def refinement_question(
    process: str, refinement: str | Refinement, name: str, system: Network | ExplicitGraph | None = None
) -> Refines:
    """The question whether a process refines another one, of its own model or the given system of another."""
    kind = refinement if isinstance(refinement, Refinement) else parse_refinement(refinement)
    return Refines(process, f"{process} {kind.word} {name}", kind, name, system)
