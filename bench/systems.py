"""The systems of the benchmark: where their models are, and how what is asked is written in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bench.ours import EXAMPLES, MODELS, Asked
from bench.spin import SpinModel


@dataclass(frozen=True)
class System:
    """A model in a language of fairlead with a twin in Promela."""

    name: str
    title: str
    #: the question that makes fairlead visit all of it
    everything: str
    #: LTL properties by the names they have in the Promela model
    properties: Mapping[str, str] = field(default_factory=dict)
    model: Path | None = None
    size_name: str = "N"
    #: values each node chooses at first. SPIN makes all choices in one step from one more state; the CSP#
    #: model has a configuration for every prefix of the choices
    choices: int = 0
    #: whether the Promela model has the same states and transitions, once choices are allowed for
    is_exact: bool = True

    def asked(self, sizes: Sizes, question: str | None = None, fairness: str = "none") -> Asked:
        """A question to fairlead; without one, to look at everything."""
        path = self.model or MODELS / f"{self.name}.csp"
        assertion = question or self.everything
        # safety in FSP has no notion of fairness
        notion = None if path.suffix == ".lts" else fairness
        return Asked(path, (assertion,), notion, ((self.size_name, sizes.first), *sizes.further))

    def promela(self, sizes: Sizes, property_name: str | None = None) -> SpinModel:
        """The twin, with the property of that name."""
        return SpinModel(self.name, sizes.first, sizes.further, property_name)

    def only_ours(self, sizes: Sizes) -> int:
        """Configurations that only the CSP# model has."""
        return (self.choices**sizes.first - 1) // (self.choices - 1) if self.choices else 0

    @property
    def only_spins(self) -> int:
        """States that only the Promela model has."""
        return 1 if self.choices else 0


@dataclass(frozen=True)
class Sizes:
    """The size of a system and what else makes it large; `depth` and `hash_bits` are for SPIN."""

    first: int
    further: tuple[tuple[str, int], ...] = ()
    depth: int = 1_000_000
    hash_bits: int = 20

    @property
    def shown(self) -> str:
        return "-".join([str(self.first), *(f"{name}{value}" for name, value in self.further)])


DEADLOCK = "System() deadlockfree"
ELECTED = {"elects": "System() |= <>[] oneLeader"}

# dp, lec and lecd have configurations without a next step, so "deadlockfree" would end early there: their
# goals are never reached, and the search is exhaustive.
# SPIN does not store what lies inside atomic (commit, devices), and keeps a process that has ended until all
# that were started later are gone (fork).
SYSTEMS = {
    system.name: system
    for system in (
        System(
            "dp",
            "dining philosophers",
            "System() reaches eatsWithoutForks",
            {"eats": "System() |= []<> eating0", "deadlock": DEADLOCK},
        ),
        System("ms", "Milner's scheduler", DEADLOCK, {"works": "System() |= []<> working0"}),
        System("pet", "Peterson", DEADLOCK, {"enters": "System() |= [] (trying0 -> <> critical0)"}),
        System("petx", "Peterson, wrong", DEADLOCK, {"exclusion": "System() |= [] !together"}),
        System(
            "rw",
            "readers and writers",
            DEADLOCK,
            {"reads": "System() |= []<> reading", "stops": "System() |= [] (startread.0 -> <> stopread.0)"},
        ),
        System("lec", "leader election", "System() reaches miscounted", ELECTED, choices=2),
        System("lecd", "leader election, detectors", "System() reaches miscounted", ELECTED, choices=4),
        System("abp", "alternating bit", DEADLOCK),
        System("abph", "alternating bit, hidden", DEADLOCK),
        System("sliding", "sliding window", DEADLOCK),
        System("relay", "relay", DEADLOCK),
        System("sched", "scheduler, synchronised", DEADLOCK),
        System("bar", "barrier", DEADLOCK),
        System(
            "fdp",
            "philosophers in FSP",
            "||MIXED safety",
            model=EXAMPLES / "philosophers" / "dining_philosophers.lts",
        ),
        System(
            "frw",
            "readers, writers in FSP",
            "||READERS_WRITERS safety",
            model=EXAMPLES / "readers_writers" / "readers_writers.lts",
            size_name="Nread",
        ),
        System("commit", "two-phase commit", DEADLOCK, is_exact=False),
        System("fork", "forking server", DEADLOCK, is_exact=False),
        System("sort", "sorting by forks", DEADLOCK),
        System("phases", "phases and a monitor", DEADLOCK),
        System("nested", "nested phases", DEADLOCK),
        System("calls", "recursive calls", DEADLOCK),
        System("devices", "interrupt handlers", DEADLOCK, is_exact=False),
        System("chain", "nested hiding", DEADLOCK),
        System("groups", "hiding over choices", DEADLOCK),
        System("alike", "identical processes", DEADLOCK),
        System("canteen", "queues", DEADLOCK),
        System("gossip", "sets", DEADLOCK),
        System("hanoi", "stacks", DEADLOCK),
        System("lru", "lists", DEADLOCK),
        System("registry", "hash tables", DEADLOCK, {"full": "System() reaches full"}),
        System("queens", "queens", "System() reaches crowded", {"placed": "System() reaches placed"}),
    )
}
