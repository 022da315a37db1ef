"""Random progress properties, fluents and asserts for FSP models."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tests.support.generators.fsp_processes import LETTERS


def written(label: str) -> str:
    """A label as FSP writes it: numbers in brackets."""
    text = ""
    for part in label.split("."):
        if part.lstrip("-").isdigit():
            text += f"[{part}]"
        else:
            text += f".{part}" if text else part
    return text


def set_of(labels: Sequence[str]) -> str:
    return "{" + ", ".join(written(label) for label in labels) + "}"


def questions(random: Random, alphabet: Sequence[str]) -> list[str]:
    """Progress properties, fluents and asserts about some labels."""
    labels = sorted(alphabet) or ["a"]

    def some() -> list[str]:
        return random.sample(labels, min(len(labels), random.choice([1, 1, 2, 3])))

    lines = []
    if random.random() < 0.7:
        for number in range(random.choice([1, 2, 3])):
            condition = f"if {set_of(some())} then " if random.random() < 0.4 else ""
            lines.append(f"progress G{number} = {condition}{set_of(some())}")
        if random.random() < 0.3:
            letter = random.choice(LETTERS)
            lines.append(f"progress H[k:B] = {{{letter}[k], p[k].{letter}}}")
    atoms = [written(label) for label in random.sample(labels, min(3, len(labels)))]
    atoms += [set_of(some()), "zz"] if random.random() < 0.3 else [set_of(some())]
    for number in range(random.choice([1, 1, 2])):
        on = some()
        off = [label for label in some() if label not in on] or ["never"]
        initially = random.choice(["", " initially 1", " initially N-1"])
        lines.append(f"fluent F{number} = <{set_of(on)}, {set_of(off)}>{initially}")
        atoms += [f"F{number}"] * 2
    if random.random() < 0.4:
        on_label, off_label = random.sample([*LETTERS, "p.a"], 2)
        lines.append(f"fluent E[k:B] = <{{{on_label}[k], {on_label}}}, {off_label}> initially (k == 1)")
        atoms += ["E[0]", "E[B]", "(exists[k:B] E[k])", "(forall[k:0..1] (rigid (k == 1) -> E[k]))"]
    lines += [f"assert L{number} = {random_formula(random, atoms)}" for number in range(3)]
    if random.random() < 0.3:
        lines.append(f"assert LP(Q=1) = ({random.choice(atoms)} || rigid (Q == 1))")
        lines.append("assert LQ = [](LP(0) -> (L0 || LP))")
    return lines


def random_formula(random: Random, atoms: Sequence[str]) -> str:
    """With few temporal operators: a brute-force oracle pays for each twice."""
    p, q, r = (random.choice(atoms) for _ in range(3))
    shapes = [
        f"[]<>{p}", f"<>[]!{p}", f"[]({p} -> <>{q})", f"({p} U {q})", f"(!{p} W {q})", f"[]({p} -> X {q})",
        f"<>({p} && X !{q})", f"<>[]({p} -> X !{q})", f"[](!{p} || X({q} U {r}))", f"([]<>{p} -> []<>{q})",
        f"({p} -> {q} || X {r})", f"({p} && {q} U {r})", f"[]!({p} && {q})", f"X X {p}", f"({p} <-> X {q})",
        f"([]<>{p} || <>[]{q})", f"{p}", f"!{p}", f"[]({p} <-> {q})", f"<>(({p} || {q}) && !{r})",
        f"(<>{p} && []!{q})", f"[]<>({p} && X X {q})", f"<>{p}", f"[]{p}", f"[]({p} && {q} -> X({r} || {p}))",
    ]  # fmt: skip
    return random.choice(shapes)
