"""Promela models of the benchmark systems: the same configurations and transitions as their twins.

Every event of the CSP# model in bench/models, or of the FSP model among the examples, is one indivisible
Promela statement (a `d_step` where it tests and writes), and every component is one Promela process.

usage: python -m bench.promela OUTDIR NAME N [--property NAME]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.promela_structure import STRUCTURES
from bench.promela_text import Promela, cycle, step


def dining_philosophers(n: int) -> Promela:
    """Right fork, left fork, eat, put right, put left. All holding their right fork is a deadlock."""
    text = f"bool fork[{n}];\nbool eat0;\n"
    for i in range(n):
        right, mine = (i + 1) % n, i == 0
        text += cycle(
            f"phil{i}",
            [
                step(f"!fork[{right}]", f"fork[{right}] = 1"),
                step(f"!fork[{i}]", f"fork[{i}] = 1"),
                step("true", *(["eat0 = 1"] if mine else [])),
                step("true", f"fork[{right}] = 0", *(["eat0 = 0"] if mine else [])),
                f"fork[{i}] = 0",
            ],
        )
    return Promela(text, n, {"eats": "[]<> eat0"})


def milner_scheduler(n: int) -> Promela:
    """Start with the token; then finish the work and pass the token on, in either order.

    Bits start at 0 in Promela, so cell 0 keeps its token bit upside down: it holds the token at first.
    """
    text = f"bool tok[{n}];\nbool work0;\n"
    for i in range(n):
        after = (i + 1) % n
        present, absent = (1, 0) if i else (0, 1)
        start = step(f"tok[{i}] == {present}", f"tok[{i}] = {absent}", *(["work0 = 1"] if i == 0 else []))
        present, absent = (1, 0) if after else (0, 1)
        give = step(f"tok[{after}] == {absent}", f"tok[{after}] = {present}")
        finish = step("true", *(["work0 = 0"] if i == 0 else []))
        either = f"if\n    :: {finish}; {give}\n    :: {give}; {finish}\n    fi"
        text += cycle(f"cell{i}", [start, either])
    return Promela(text, n, {"works": "[]<> work0"})


def peterson(n: int) -> Promela:
    """On each level: write the level, write the turn, wait. Then one step in the critical section."""
    text = f"byte pos[{n}];\nbyte turn[{n}];\nbool cs0;\n"
    for i in range(n):
        steps = []
        for level in range(1, n):
            alone = " && ".join(f"pos[{j}] < {level}" for j in range(n) if j != i)
            steps += [f"pos[{i}] = {level}", f"turn[{level}] = {i}", f"(turn[{level}] != {i} || ({alone}))"]
        if i == 0:
            steps += [step("true", "cs0 = 1"), step("true", "cs0 = 0", "pos[0] = 0")]
        else:
            steps += ["skip", f"pos[{i}] = 0"]
        text += cycle(f"proc{i}", steps)
    return Promela(text, n, {"enters": "[] ((pos[0] > 0) -> <> cs0)"})


def wrong_peterson(n: int) -> Promela:
    """The turn is written before the level, so that two can be in the critical section at once."""
    text = f"byte pos[{n}];\nbyte turn[{n}];\nbyte inside;\n"
    for i in range(n):
        steps = []
        for level in range(1, n):
            alone = " && ".join(f"pos[{j}] < {level}" for j in range(n) if j != i)
            steps += [f"turn[{level}] = {i}", f"pos[{i}] = {level}", f"(turn[{level}] != {i} || ({alone}))"]
        steps += [step("true", "inside++", "assert(inside == 1)"), step("true", "inside--", f"pos[{i}] = 0")]
        text += cycle(f"proc{i}", steps)
    return Promela(text, n)


def readers_writers(n: int) -> Promela:
    """n readers and n writers, each idle, then wanting, then in."""
    text = "byte nr;\nbool wr;\n"
    for i in range(n):
        text += cycle(f"reader{i}", ["skip", step("!wr", "nr++"), "inside: nr--"])
    for i in range(n):
        text += cycle(f"writer{i}", ["skip", step("!wr && nr == 0", "wr = 1"), "wr = 0"])
    return Promela(
        text, 2 * n, {"reads": "[]<> (nr > 0)", "stops": "[] (reader0@inside -> <> !reader0@inside)"}
    )


def election_rules(n: int, own_detector: bool) -> Iterator[tuple[str, str]]:
    """The rules of leader election, each with the name of the process it becomes."""
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    for i, j in pairs:
        yield f"demote_{i}_{j}", step(f"leader[{i}] && leader[{j}]", f"leader[{j}] = 0", "nl--")
    for i, j in pairs:
        told = f"!det[{i}]" if own_detector else "(!correct || nl == 0)"
        guard = f"!leader[{i}] && !leader[{j}] && {told}"
        yield f"promote_{i}_{j}", step(guard, f"leader[{i}] = 1", "nl++")
    if own_detector:
        for i in range(n):
            yield f"lie_{i}", step("!correct", f"det[{i}] = !det[{i}]")
        for i in range(n):
            yield f"tell_{i}", step(f"correct && det[{i}] != (nl > 0)", f"det[{i}] = (nl > 0)")
    yield "fix", step("!correct", "correct = 1")


def leader_election(n: int, own_detector: bool) -> Promela:
    """One process per event, so that SPIN's weak fairness of processes is weak fairness of events."""
    rules = list(election_rules(n, own_detector))
    text = f"bool leader[{n}];\nbool correct;\nbyte nl;\n" + (f"bool det[{n}];\n" if own_detector else "")
    for name, rule in rules:
        text += f"proctype {name}() {{ do :: {rule} od }}\n"
    choices = [f"if :: leader[{i}] = 1; nl++ :: leader[{i}] = 0 fi;" for i in range(n)]
    if own_detector:
        choices += [f"if :: det[{i}] = 1 :: det[{i}] = 0 fi;" for i in range(n)]
    starts = [f"run {name}();" for name, _ in rules]
    text += "init {\n  atomic {\n    " + "\n    ".join(choices + starts) + "\n  }\n}\n"
    return Promela(text, len(rules) + 1, {"elects": "<>[] (nl == 1)"})


def alternating_bit(n: int, k: int = 1, m: int = 2) -> Promela:
    """n lines, each with a sender, a receiver and a process that loses messages; what is not needed is 0."""
    text = f"chan data[{n}] = [{k}] of {{ byte, bit }};\nchan ack[{n}] = [{k}] of {{ bit }};\n"
    for i in range(n):
        take = "if\n    " + "\n    ".join(f":: d = {d}" for d in range(m)) + "\n    fi"
        sending = f"""do
    :: data[{i}]!d,b
    :: d_step {{ ack[{i}]?eval(b); b = 1 - b; d = 0 }}; break
    :: ack[{i}]?eval(1 - b)
    od"""
        text += (
            f"active proctype sender{i}() {{\n  byte d; bit b;\n  do\n  :: {take};\n    {sending}\n  od\n}}\n"
        )
        text += f"""active proctype receiver{i}() {{
  byte d; bit b;
  do
  :: data[{i}]?d,eval(b); d = 0; d_step {{ ack[{i}]!b; b = 1 - b }}
  :: data[{i}]?_,eval(1 - b); ack[{i}]!(1 - b)
  od
}}
active proctype loss{i}() {{ do :: data[{i}]?_,_ :: ack[{i}]?_ od }}
"""
    return Promela(text, 3 * n)


def go_back_n(n: int, k: int = 2) -> Promela:
    """A window of n frames, numbers modulo n + 1; the number in a message is examined before it is taken."""
    size = n + 1
    filled = f"(next + {size} - base) % {size}"
    offset = f"(a + {size} - base) % {size}"
    text = f"chan data = [{k}] of {{ byte }};\nchan ack = [{k}] of {{ byte }};\n"
    text += "byte base, next, expected;\n"
    text += "active proctype sender() {\n  do\n"
    text += f"  :: d_step {{ {filled} < {n} && nfull(data) -> data!next; next = (next + 1) % {size} }}\n"
    for a in range(size):
        seen = f"ack?[{a}] && {offset.replace('a +', f'{a} +')}"
        text += f"  :: d_step {{ {seen} < {filled} -> ack?_; base = {(a + 1) % size} }}\n"
        text += f"  :: d_step {{ {seen} >= {filled} -> ack?_ }}\n"
    text += f"  :: {step('next != base', 'next = base')}\n  od\n}}\n"
    text += f"""active proctype receiver() {{
  do
  :: if
     :: d_step {{ data?eval(expected); expected = (expected + 1) % {size} }}
     :: d_step {{ nempty(data) && !data?[eval(expected)] -> data?_ }}
     fi;
     ack!((expected + {size - 1}) % {size})
  od
}}
active proctype loss() {{ do :: data?_ :: ack?_ od }}
"""
    return Promela(text, 3)


def relay(n: int, m: int = 2) -> Promela:
    """A cell's place in its text is the value it holds, so that no variable keeps an old one."""
    text = f"chan link[{n + 1}] = [0] of {{ byte }};\n"
    values = range(m)
    text += "active proctype source() { do " + " ".join(f":: link[0]!{x}" for x in values) + " od }\n"
    for i in range(n):
        rows = " ".join(f":: link[{i}]?{x}; link[{i + 1}]!{x}" for x in values)
        text += f"active proctype cell{i}() {{ do {rows} od }}\n"
    text += f"active proctype sink() {{ do :: link[{n}]?_ od }}\n"
    return Promela(text, n + 2)


def synchronised_scheduler(n: int) -> Promela:
    """An event of two cells is a handshake between them."""
    text = f"chan token[{n}] = [0] of {{ bit }};\n"
    for i in range(n):
        give = f"token[{(i + 1) % n}]!0"
        busy = f"skip; if :: skip; {give} :: {give}; skip fi"
        take = f"token[{i}]?0"
        rounds = [take, busy] if i else [busy, take]
        text += cycle(f"cell{i}", rounds)
    return Promela(text, n)


def barrier(n: int) -> Promela:
    """SPIN has no event of many processes: their places are data, and one more process makes the step."""
    text = f"byte at[{n}];\nbyte ready;\n"
    for i in range(n):
        text += f"""active proctype worker{i}() {{
  do
  :: d_step {{ at[{i}] == 0 -> at[{i}] = 1 }}
  :: d_step {{ at[{i}] == 0 -> at[{i}] = 2 }}
  :: d_step {{ at[{i}] == 1 || at[{i}] == 2 -> at[{i}] = 3; ready++ }}
  od
}}
"""
    clear = [f"at[{i}] = 0" for i in range(n)]
    text += f"active proctype meet() {{ do :: {step(f'ready == {n}', 'ready = 0', *clear)} od }}\n"
    return Promela(text, n + 1)


def fork_processes(n: int) -> Promela:
    """Forks are processes too, taken and laid down by handshakes; philosopher 0 takes the right one first."""
    text = f"chan take[{n}] = [0] of {{ bit }};\nchan lay[{n}] = [0] of {{ bit }};\n"
    for i in range(n):
        left, right = i, (i - 1) % n
        first, second = (left, right) if i else (right, left)
        text += cycle(
            f"phil{i}",
            ["skip", f"take[{first}]!0", f"take[{second}]!0", "skip", f"lay[{left}]!0", f"lay[{right}]!0"],
        )
        text += cycle(f"fork{i}", [f"take[{i}]?0", f"lay[{i}]?0"])
    return Promela(text, 2 * n)


def lock_users(n: int, nwrite: int = 2) -> Promela:
    """n readers and some writers who take a lock and give it back."""
    text = "byte nr;\nbool wr;\n"
    for i in range(n):
        text += cycle(f"reader{i}", [step("!wr", "nr++"), "nr--"])
    for i in range(nwrite):
        text += cycle(f"writer{i}", [step("!wr && nr == 0", "wr = 1"), "wr = 0"])
    return Promela(text, n + nwrite)


# By size; further sizes have the names of the CSP# model, in small letters.
MODELS: dict[str, Callable[..., Promela]] = {
    "dp": dining_philosophers,
    "ms": milner_scheduler,
    "pet": peterson,
    "rw": readers_writers,
    "lec": lambda n: leader_election(n, own_detector=False),
    "lecd": lambda n: leader_election(n, own_detector=True),
    "abp": alternating_bit,
    "abph": alternating_bit,
    "sliding": go_back_n,
    "relay": relay,
    "sched": synchronised_scheduler,
    "bar": barrier,
    "petx": wrong_peterson,
    "fdp": fork_processes,
    "frw": lock_users,
    **STRUCTURES,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Write one Promela model.")
    parser.add_argument("outdir", type=Path)
    parser.add_argument("name", choices=sorted(MODELS))
    parser.add_argument("n", type=int)
    parser.add_argument("--property", metavar="NAME", help="with this LTL property, such as eats for dp")
    arguments = parser.parse_args()
    arguments.outdir.mkdir(parents=True, exist_ok=True)
    path = arguments.outdir / f"{arguments.name}{arguments.n}.pml"
    path.write_text(MODELS[arguments.name](arguments.n).source(arguments.property))
    print(path)


if __name__ == "__main__":
    main()
