"""The notions of fairness (docs/explanation/semantics.md), each as one value that says everything about it.

No other code switches on the notion: the engine, the judges, advice, reductions and help read the fields. So
a new notion is a member here, and a page that explains it (`present/explain/notions/`).

Weak fairness to a subject x (an event or a process) is Inf(x not enabled) | Inf(x engaged), strong fairness
is Fin(x enabled) | Inf(x engaged). Strong global fairness is about transitions. Any other notion is a
fairness formula with a name of its own, as impartiality is.
"""

from __future__ import annotations

from enum import Enum

from fairlead.base.diagnostics import Code, input_error, nearest
from fairlead.base.records import dataclass


class Subject(Enum):
    """Whom a notion is fair to."""

    NOBODY = 0
    EVENTS = 1
    PROCESSES = 2


@dataclass(frozen=True)
class Notion:
    """All there is to know about a notion of fairness.

    - `name` is what `--fairness` takes, `title` the name in words.
    - `subject` and `is_strong` say to whom it is weakly or strongly fair, for the search and for the judges;
      `is_global`, that every transition of a state visited infinitely often is taken infinitely often;
      `formula` is the fairness formula that defines any other notion.
    - `continues_every_run`: every finite run is the beginning of a fair execution, whatever the system.
    - `implies` names the notions that demand less, as far as no other one of them says so already.
    - `sees` says why partial order reduction must keep all steps; None if it need not.
    - `is_symmetric`: it stays the same when processes are exchanged, so that symmetry preserves it.
    - `counting_problem` says why it cannot be decided with processes counted, if it cannot.
    """

    name: str
    title: str
    subject: Subject = Subject.NOBODY
    is_strong: bool = False
    is_global: bool = False
    formula: str | None = None
    continues_every_run: bool = True
    implies: tuple[str, ...] = ()
    sees: str | None = None
    is_symmetric: bool = False
    counting_problem: str | None = None


_SEES_EVENTS = "event-level fairness depends on every event"
_SEES_PROCESSES = "process-level fairness depends on every process"


class Fairness(Enum):
    """A named notion of fairness; the value is its short name."""

    _value_: str
    facts: Notion

    def __new__(cls, notion: Notion | str) -> Fairness:
        """The value of a member is the name of its notion, so that `Fairness("ewf")` finds it.

        That look-up never comes here, but type checkers take its argument for this one.
        """
        assert isinstance(notion, Notion)
        member = object.__new__(cls)
        member._value_ = notion.name
        member.facts = notion
        return member

    NONE = Notion("none", "no fairness", is_symmetric=True)
    EVENT_WEAK = Notion(
        "ewf",
        "event-level weak fairness",
        Subject.EVENTS,
        implies=("none",),
        sees=_SEES_EVENTS,
    )
    EVENT_STRONG = Notion(
        "esf",
        "event-level strong fairness",
        Subject.EVENTS,
        is_strong=True,
        implies=("ewf",),
        sees=_SEES_EVENTS,
    )
    PROCESS_WEAK = Notion(
        "pwf",
        "process-level weak fairness",
        Subject.PROCESSES,
        implies=("none",),
        sees=_SEES_PROCESSES,
    )
    PROCESS_STRONG = Notion(
        "psf",
        "process-level strong fairness",
        Subject.PROCESSES,
        is_strong=True,
        implies=("pwf",),
        sees=_SEES_PROCESSES,
    )
    STRONG_GLOBAL = Notion(
        "sgf",
        "strong global fairness",
        is_global=True,
        implies=("esf", "psf"),
        sees="strong global fairness depends on every step of a state",
        is_symmetric=True,
    )
    IMPARTIAL = Notion(
        "impartial",
        "impartiality",
        formula="impartial",
        continues_every_run=False,
        implies=("none",),
        sees="impartiality depends on every process",
        counting_problem="which of them takes part infinitely often is not distinguished",
    )

    @property
    def subject(self) -> Subject:
        """Events, processes, or neither (none, strong global, and notions defined by a formula)."""
        return self.facts.subject

    @property
    def is_strong(self) -> bool:
        """Whether a subject enabled infinitely often must be engaged (not only one that stays enabled)."""
        return self.facts.is_strong

    @property
    def is_global(self) -> bool:
        """Whether every transition of a state visited infinitely often must be taken infinitely often."""
        return self.facts.is_global

    @property
    def continues_every_run(self) -> bool:
        """Whether every finite run is the beginning of a fair execution, whatever the system."""
        return self.facts.continues_every_run

    @property
    def title(self) -> str:
        """The name in words."""
        return self.facts.title

    @property
    def implied(self) -> frozenset[Fairness]:
        """This notion and those that demand less: an execution fair under it is fair under them."""
        found = {self}
        pending = [self]
        while pending:
            weaker = {Fairness(name) for name in pending.pop().facts.implies} - found
            found |= weaker
            pending += weaker
        return frozenset(found)


#: the notions that `all` stands for: those under which every finite run can be continued fairly
CLASSIC = tuple(notion for notion in Fairness if notion.continues_every_run)


#: and the words for it
ALL_STANDS_FOR = f"all but {', '.join(notion.title for notion in Fairness if notion not in CLASSIC)}"


def strong_fairness_to(subject: Subject) -> Fairness:
    """The notion that is strongly fair to all events, or to all processes."""
    return next(notion for notion in Fairness if notion.subject is subject and notion.is_strong)


#: words for several notions, with what they may mean
_LOOSE_WORDS = {
    "strong": "esf is strong fairness towards events, psf towards processes, sgf strong global fairness",
    "weak": "ewf is weak fairness towards events, pwf towards processes",
    "global": "sgf is strong global fairness",
    "justice": "ewf is weak fairness (justice) towards events, pwf towards processes",
    "compassion": "esf is strong fairness (compassion) towards events, psf towards processes",
}


def parse_fairness(text: str) -> tuple[Fairness, ...]:
    """Names separated by commas; `all` stands for all but impartiality."""
    found: dict[Fairness, None] = {}
    for name in text.split(","):
        short = name.strip()
        try:
            found |= dict.fromkeys(CLASSIC if short == "all" else (Fairness(short),))
        except ValueError:
            names = [notion.value for notion in Fairness]
            raise input_error(
                Code.USAGE,
                f"unknown fairness '{short}'; known are {', '.join(names)} and all",
                hint=_LOOSE_WORDS.get(short.lower()) or nearest(short, [*names, "all"]),
            ) from None
    return tuple(found)
