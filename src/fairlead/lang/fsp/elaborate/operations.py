"""What FSP does to whole machines: renaming, prefixing, sharing, hiding.

A label that was hidden in a composition of several machines, which must continue taking it together, is
*private*: it reads `τ[a]@N`, synchronises only the machines of N, and no operation but prefixing touches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from fairlead.lang.fsp.elaborate.labels import matching, renamed
from fairlead.model.labels import is_internal
from fairlead.model.machine import TAU, Machine, joined_origins


def private_label(label: str, owner: str) -> str:
    """The name of a label that was hidden in the composition `owner`."""
    return f"τ[{label}]@{owner}"


def within(label: str, instance: str) -> str:
    """A private label as one more instance of a composition around its owner has it.

    The path tells it from all others: instances are numbered for each composition on its own.
    """
    name, _, owner = label.removeprefix("τ[").rpartition("]@")
    return private_label(name, f"{instance}/{owner}")


def _with_prefix(label: str, prefix: str) -> str:
    if not is_internal(label):
        return f"{prefix}.{label}"
    name, _, owner = label.removeprefix("τ[").rpartition("]@")
    return private_label(f"{prefix}.{name}", f"{prefix}:{owner}")


def mapped(machine: Machine, name: str, new: Callable[[str], Sequence[str]]) -> Machine:
    """The machine with other labels: each transition once for each of its new labels."""
    names = {label: list(dict.fromkeys(new(label))) for label in machine.alphabet}
    names[TAU] = [TAU]
    alphabet = dict.fromkeys(fresh for label in machine.alphabet for fresh in names[label] if fresh != TAU)
    rows = (
        joined_origins(
            ((fresh, target), origin)
            for (label, target), origin in machine.traced(state)
            for fresh in names[label]
        )
        for state in range(machine.state_count)
    )
    return replace(machine, name=name, alphabet=tuple(alphabet)).with_traced(rows)


def prefixed(machine: Machine, prefix: str) -> Machine:
    """`a:P`."""
    return mapped(machine, f"{prefix}:{machine.name}", lambda label: [_with_prefix(label, prefix)])


def shared(machine: Machine, owners: Sequence[str]) -> Machine:
    """`{a, b}::P`: each owner takes its transitions under its own name."""
    name = f"{owners[0]}::{machine.name}" if len(owners) == 1 else f"{{{','.join(owners)}}}::{machine.name}"
    return mapped(
        machine,
        name,
        lambda label: [label] if is_internal(label) else [f"{owner}.{label}" for owner in owners],
    )


def relabelled(machine: Machine, names: Mapping[str, list[str]]) -> Machine:
    """`P / {new/old}`."""
    return mapped(
        machine, machine.name, lambda label: [label] if is_internal(label) else renamed(label, names)
    )


def merges_labels(labels: Iterable[str], names: Mapping[str, list[str]]) -> bool:
    """Whether relabelling gives two different labels a common name."""
    taken: set[str] = set()
    for label in labels:
        for name in renamed(label, names):
            if name in taken:
                return True
            taken.add(name)
    return False


def hidden_labels(alphabet: Sequence[str], exposes: bool, labels: Iterable[str]) -> frozenset[str]:
    """The labels that `\\` or `@` with a set of labels hides."""
    chosen = matching(alphabet, labels)
    return frozenset(alphabet) - chosen if exposes else chosen
