"""What is measured: systems, their sizes, and the questions about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Question(Enum):
    REACHABILITY = "reachability"
    LIVENESS = "liveness"


@dataclass(frozen=True)
class Case:
    """One system of one size and one question about it."""

    model: str
    size: int
    question: Question
    fairness: str = "none"
    depth: int = 1_000_000
    hash_bits: int = 20
    defines: tuple[tuple[str, int], ...] = ()  # further sizes of the model

    @property
    def name(self) -> str:
        kind = "reach" if self.question is Question.REACHABILITY else self.fairness
        further = "".join(f"-{name}{value}" for name, value in self.defines)
        return f"{self.model}{self.size}{further}-{kind}"

    @property
    def assertion(self) -> str:
        return ASSERTIONS[self.model, self.question]

    @property
    def init_states(self) -> tuple[int, int]:
        """How many states only SPIN and only fairlead have, before the system proper starts.

        SPIN makes all initial choices of lec and lecd in one atomic step from one extra state; the
        CSP# model has a configuration for every prefix of the choices.
        """
        choices = {"lec": 2, "lecd": 4}.get(self.model)
        if choices is None:
            return 0, 0
        return 1, (choices**self.size - 1) // (choices - 1)


ASSERTIONS = {
    # dp, lec and lecd have configurations without a next step, so "deadlockfree" would end early there:
    # their goals are never reached, and the search is exhaustive.
    ("dp", Question.REACHABILITY): "System() reaches eatsWithoutForks",
    ("ms", Question.REACHABILITY): "System() deadlockfree",
    ("pet", Question.REACHABILITY): "System() deadlockfree",
    ("rw", Question.REACHABILITY): "System() deadlockfree",
    ("lec", Question.REACHABILITY): "System() reaches miscounted",
    ("lecd", Question.REACHABILITY): "System() reaches miscounted",
    ("abp", Question.REACHABILITY): "System() deadlockfree",
    ("abph", Question.REACHABILITY): "System() deadlockfree",
    ("sliding", Question.REACHABILITY): "System() deadlockfree",
    ("relay", Question.REACHABILITY): "System() deadlockfree",
    ("sched", Question.REACHABILITY): "System() deadlockfree",
    ("bar", Question.REACHABILITY): "System() deadlockfree",
    ("dp", Question.LIVENESS): "System() |= []<> eating0",
    ("ms", Question.LIVENESS): "System() |= []<> working0",
    ("pet", Question.LIVENESS): "System() |= [] (trying0 -> <> critical0)",
    ("rw", Question.LIVENESS): "System() |= []<> reading",
    ("lec", Question.LIVENESS): "System() |= <>[] oneLeader",
    ("lecd", Question.LIVENESS): "System() |= <>[] oneLeader",
}

REACH, LIVE = Question.REACHABILITY, Question.LIVENESS

FULL = (
    Case("dp", 12, REACH, depth=4_000_000, hash_bits=23),
    Case("dp", 13, REACH, depth=8_000_000, hash_bits=25),
    Case("pet", 5, REACH, depth=1_000_000, hash_bits=21),
    Case("pet", 6, REACH, depth=10_000_000, hash_bits=25),
    Case("ms", 14, REACH, depth=2_000_000, hash_bits=21),
    Case("ms", 16, REACH, depth=4_000_000, hash_bits=23),
    Case("rw", 8, REACH, depth=4_000_000, hash_bits=23),
    Case("abp", 3, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 1), ("M", 2))),
    Case("abp", 2, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 4), ("M", 2))),
    Case("abp", 1, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 20), ("M", 4))),
    Case("abph", 3, REACH, depth=4_000_000, hash_bits=23, defines=(("K", 1), ("M", 2))),
    Case("sliding", 5, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 5),)),
    Case("sliding", 3, REACH, depth=4_000_000, hash_bits=22, defines=(("K", 7),)),
    Case("relay", 13, REACH, depth=4_000_000, hash_bits=22, defines=(("M", 2),)),
    Case("relay", 8, REACH, depth=4_000_000, hash_bits=22, defines=(("M", 5),)),
    Case("sched", 16, REACH, depth=4_000_000, hash_bits=22),
    Case("bar", 10, REACH, depth=4_000_000, hash_bits=22),
    Case("pet", 5, LIVE, "pwf", depth=10_000_000, hash_bits=23),
    Case("pet", 6, LIVE, "pwf", depth=60_000_000, hash_bits=26),
    Case("ms", 14, LIVE, "pwf", depth=10_000_000, hash_bits=23),
    Case("lecd", 5, LIVE, "ewf", depth=2_000_000, hash_bits=20),
    Case("lecd", 6, LIVE, "ewf", depth=10_000_000, hash_bits=22),
    Case("lec", 6, LIVE, "ewf", depth=1_000_000, hash_bits=20),
    Case("rw", 5, LIVE, "pwf", depth=2_000_000, hash_bits=20),
    Case("ms", 14, LIVE, "none", depth=4_000_000, hash_bits=22),
    Case("dp", 12, LIVE, "none", depth=4_000_000, hash_bits=23),
)

QUICK = (
    Case("dp", 9, REACH),
    Case("pet", 4, REACH),
    Case("ms", 10, REACH),
    Case("rw", 5, REACH),
    Case("abp", 2, REACH, defines=(("K", 1), ("M", 2))),
    Case("sliding", 3, REACH, defines=(("K", 3),)),
    Case("relay", 9, REACH, defines=(("M", 2),)),
    Case("sched", 10, REACH),
    Case("bar", 7, REACH),
    Case("pet", 4, LIVE, "pwf"),
    Case("lecd", 4, LIVE, "ewf"),
    Case("rw", 3, LIVE, "pwf"),
    Case("ms", 8, LIVE, "none"),
)
