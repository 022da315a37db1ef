"""Promela models of systems whose tree of processes changes while they run, and of those with library values.

Promela has neither sequences of compositions nor interrupts nor hiding. A phase is a number that all look at,
a part that runs beside others is a place in an array or a process, an interrupt is one more alternative at
every place that can be interrupted, and a hidden event is a step like any other.
"""

from __future__ import annotations

from collections.abc import Callable

from bench.promela_text import Promela, cycle, step


def two_phase_commit(n: int) -> Promela:
    """`part[i]` is where the coordinator's i-th part is in this phase, `ended` how many parts have ended."""
    text = f"byte phase, ended, yes, decision;\nbyte part[{n}];\n"
    clear = ["ended = 0", *(f"part[{i}] = 0" for i in range(n))]
    for i in range(n):
        at_start = f"part[{i}] == 0"
        end = ["ended++"]
        count = step("true", "yes++", f"part[{i}] = 2", *end)
        tell = step(f"phase == 3 && {at_start}", f"part[{i}] = 1")
        text += f"""active proctype participant{i}() {{
  bool locked, logged;
idle:
  if :: {step(f"phase == 0 && {at_start}", f"part[{i}] = 1", *end)} fi;
  do
  :: {step("!locked", "locked = 1")}
  :: {step("!logged", "logged = 1")}
  :: {step("locked && logged", "locked = 0", "logged = 0")}; break
  :: {step(f"phase == 3 && {at_start}", f"part[{i}] = 1", "locked = 0", "logged = 0")}; goto told
  od;
  if
  :: atomic {{ {step(f"phase == 1 && {at_start}", f"part[{i}] = 1")}; {count} }}
  :: {step(f"phase == 1 && {at_start}", f"part[{i}] = 2", *end)}
  :: {tell}; goto told
  fi;
  {tell};
told:
  (decision > 0);
  {step(f"phase == 3 && part[{i}] == 1", f"part[{i}] = 2", *end)};
  goto idle
}}
"""
    all_ended = f"ended == {n}"
    decide = f"decision = (yes == {n} -> 1 : 2)"
    text += cycle(
        "coordinator",
        [
            step(all_ended, "phase = 1", *clear),
            "if\n    :: "
            + step("true", "phase = 2", *clear)
            + "\n    :: "
            + step(all_ended, "phase = 2", *clear)
            + "\n    fi",
            step("true", decide, "yes = 0", "phase = 3"),
            step(all_ended, "phase = 4", *clear),
            step("true", "decision = 0", "phase = 0"),
        ],
    )
    return Promela(text, n + 1)


def forking_server(n: int) -> Promela:
    """Workers are started by `run`; the server opens again when it is the only process left."""
    text = f"""proctype worker() {{ skip; if :: skip :: skip; skip fi }}
active proctype server() {{
  byte started;
open:
  do
  :: atomic {{ started < {n} -> run worker(); started++ }}
  :: started = 0; break
  od;
  (_nr_pr == 1);
  goto open
}}
"""
    return Promela(text, n + 1)


def phases(n: int) -> Promela:
    """The monitor is what it remembers; one more process ends the phases."""
    text = "byte phase, ended, last;\n"
    for i in range(n):
        end = step("true", "ended++")
        text += cycle(
            f"worker{i}",
            [
                "phase == 0",
                end,
                f"if\n    :: phase == 1; {end}\n    :: phase == 1; {end}\n    fi",
                step("phase == 2", f"last = {i}"),
                end,
            ],
        )
    ends = [step(f"ended == {n}", "ended = 0", f"phase = {after}") for after in (1, 2, 3)]
    # SPIN leaves a variable that nobody reads out of the state
    text += cycle("conductor", [*ends, step("true", f"assert(last < {n})", "phase = 0")])
    return Promela(text, n + 1)


def nested_phases(n: int) -> Promela:
    """The two parts of a phase are two bits."""
    text = "bool lock;\n"
    parts = [step("!first", "first = 1"), step("!second", "second = 1")]
    both = step("first && second", "first = 0", "second = 0")
    phase = f"do\n    :: {parts[0]}\n    :: {parts[1]}\n    :: {both}; break\n    od"
    for i in range(n):
        text += f"""active proctype participant{i}() {{
  bool first, second;
  do
  :: {phase};
    {phase};
    if :: {step("!lock", "lock = 1")} fi;
    lock = 0
  od
}}
"""
    return Promela(text, n)


def calls(n: int, k: int = 4) -> Promela:
    """A thread's stack is how deep it is."""
    text = ""
    for i in range(n):
        text += f"""active proctype thread{i}() {{
  byte depth;
calling:
  if
  :: {step(f"depth < {k}", "depth++")}; goto calling
  :: skip
  fi;
returning:
  if
  :: {step("depth > 0", "depth--")}; goto returning
  :: depth == 0; goto calling
  fi
}}
"""
    return Promela(text, n)


def interrupted_devices(n: int) -> Promela:
    """Requests and resets are alternatives at every place where the device can be interrupted."""
    text = "bool bus;\n"
    for i in range(n):
        text += f"""active proctype device{i}() {{
job:
  if :: skip :: skip; goto requested :: skip; goto reset fi;
  if :: skip :: skip; goto requested :: skip; goto reset fi;
  if :: skip; goto job :: skip; goto requested :: skip; goto reset fi;
requested:
  if
  :: atomic {{ d_step {{ !bus -> bus = 1 }}; bus = 0 }}; goto job
  :: skip
  fi;
reset:
  skip; goto job
}}
"""
    return Promela(text, n)


def chain(n: int) -> Promela:
    """A hidden link is a handshake; a cell's place in its text is the value it holds."""
    text = f"chan link[{n}] = [0] of {{ bit }};\nbyte up;\n"
    for i in range(n):
        rows = []
        for value in (0, 1):
            take = f"link[{i}]?{value}" if i else "skip"
            give = f"link[{i + 1}]!{value}" if i + 1 < n else "skip"
            rows.append(f":: {take}; {give}")
        text += f"active proctype cell{i}() {{ {step(f'up == {i}', 'up++')}; do {' '.join(rows)} od }}\n"
    return Promela(text, n)


def groups(n: int) -> Promela:
    """What passes between two processes is a handshake, hidden or not.

    The CSP# link hides its loss from the first item on, so that its first place is not one of those later.
    """
    text = f"chan put[{n}] = [0] of {{ bit }};\nchan get[{n}] = [0] of {{ bit }};\n"
    for i in range(n):
        text += cycle(f"producer{i}", ["skip", f"put[{i}]!0"])
        choice = f"if\n    :: get[{i}]!0\n    :: skip\n    fi"
        text += cycle(f"link{i}", [choice, f"put[{i}]?0"]).replace("{\n", f"{{\n  put[{i}]?0;\n", 1)
        text += cycle(f"consumer{i}", [f"get[{i}]?0", "skip"])
    return Promela(text, 3 * n)


def alike(n: int) -> Promela:
    """Copies of one process; a seat that is taken is counted, since numbers start at 0."""
    work = "if\n    :: skip; skip\n    :: skip; skip\n    fi"
    steps = ["skip", step("taken < 2", "taken++"), work, "taken--", "skip"]
    text = "byte taken;\n" + cycle("process", steps).replace("active", f"active [{n}]", 1)
    return Promela(text, n)


def sorting(n: int) -> Promela:
    """All processes exist from the start and wait until they are needed.

    Started by `run` they would be numbered in the order of their start, and be gone only after all that
    started later: 1.5 million states instead of 2,707 with eight places.
    """
    text, sizes = "", {1: n}
    for node in range(1, 2 << n.bit_length()):
        if sizes.get(node, 1) > 1:
            sizes |= {2 * node: sizes[node] // 2, 2 * node + 1: sizes[node] - sizes[node] // 2}
    for node, size in sizes.items():
        needed = (f"needed[{node}]", f"needed[{node}] = 0") if node > 1 else ("ended[0] == 0",)
        merge = [step(f"ended[{node}] == 2", f"ended[{node}] = 0"), f"ended[{node // 2}]++"]
        first = step(*needed, *_both_halves(node, size))
        text += cycle(f"sort{node}", [first, *merge] if size > 1 else [first])
    text += cycle("starter", [step("ended[0] == 1", "ended[0] = 0")])
    width = max(sizes) + 1
    return Promela(f"bool needed[{width}];\nbyte ended[{width}];\n{text}", 2 * n)


def _both_halves(node: int, size: int) -> list[str]:
    """What a sorting process does first: it starts both halves, or it is done."""
    if size == 1:
        return [f"ended[{node // 2}]++"]
    return [f"needed[{2 * node}] = 1", f"needed[{2 * node + 1}] = 1"]


def canteen(n: int) -> Promela:
    """A queue of the library is a channel with room for all customers."""
    text = "".join(f"chan {name} = [{n}] of {{ byte }};\n" for name in ("waiting", "orders", "dishes"))
    text += f"bool served[{n}];\n"
    for i in range(n):
        text += cycle(f"customer{i}", [f"waiting!{i}", step(f"served[{i}]", f"served[{i}] = 0")])
    text += """active proctype waiter() {
  byte x;
  do
  :: d_step { waiting?x -> orders!x; x = 0 }
  :: d_step { dishes?x -> served[x] = 1; x = 0 }
  od
}
active proctype cook() { byte x; do :: d_step { orders?x -> dishes!x; x = 0 } od }
"""
    return Promela(text, n + 2)


def gossip(n: int) -> Promela:
    """A set is the bits of a number."""
    text = f"short known[{n}];\n"
    for i in range(n):
        for j in range(i + 1, n):
            both = f"known[{i}] | known[{j}]"
            talk = step(f"known[{i}] != known[{j}]", f"known[{i}] = {both}", f"known[{j}] = known[{i}]")
            text += cycle(f"call_{i}_{j}", [talk])
    everybody = " && ".join(f"known[{i}] == {2**n - 1}" for i in range(n))
    start = step("true", *(f"known[{i}] = {1 << i}" for i in range(n)))
    text += cycle("start", [start, f"({everybody})"])
    return Promela(text, n * (n - 1) // 2 + 1)


def hanoi(n: int) -> Promela:
    """A peg is a part of an array, and its height; nothing lies above that."""
    text = f"byte disc[{3 * n}];\nbyte height[3];\n"
    fill = [f"disc[{place}] = {n - place}" for place in range(n)]
    text += f"active proctype start() {{ {step('true', f'height[0] = {n}', *fill)}; (false) }}\n"
    for a, b in ((a, (a + d) % 3) for a in range(3) for d in (1, 2)):
        top, onto = (f"disc[{peg * n} + height[{peg}] - 1]" for peg in (a, b))
        move = step(
            f"height[{a}] > 0 && (height[{b}] == 0 || {top} < {onto})",
            f"disc[{b * n} + height[{b}]] = {top}",
            f"{top} = 0",
            f"height[{a}]--",
            f"height[{b}]++",
        )
        text += cycle(f"move_{a}_{b}", [move])
    return Promela(text, 7)


def least_recently_used(n: int, k: int = 3) -> Promela:
    """A list is an array of pages, counted from 1, with zeros behind its end."""
    text = f"byte cache[{k}];\nhidden byte place;\n"
    for page in range(1, n + 1):
        text += f"""active proctype user{page}() {{
  do
  :: d_step {{
       place = 0;
       do
       :: place < {k - 1} && cache[place] != {page} && cache[place] != 0 -> place++
       :: else -> break
       od;
       do
       :: place > 0 -> cache[place] = cache[place - 1]; place--
       :: else -> break
       od;
       cache[0] = {page}
     }}
  od
}}
"""
    return Promela(text, n)


def registry(n: int) -> Promela:
    """A table is an array; a client's place in its text is the name that it has."""
    text = f"byte owner[{n}];\n"
    for i in range(n):
        rows = []
        for name in range(n):
            register = step(f"owner[{name}] == 0", f"owner[{name}] = {i + 1}")
            release = step(f"owner[{name}] == {i + 1}", f"owner[{name}] = 0")
            rows.append(f":: {register}; {release}")
        text += f"active proctype client{i}() {{\n  do\n  " + "\n  ".join(rows) + "\n  od\n}\n"
    full = " && ".join(f"owner[{name}] > 0" for name in range(n))
    return Promela(text, n, {"full": f"[] !({full})"})


def queens(n: int) -> Promela:
    """One process places all queens; it has an alternative for each column."""
    text = f"byte rows;\nbyte column[{n}];\nactive proctype board() {{\n  do\n"
    for c in range(n):
        free = "".join(
            f" && (rows <= {r} || column[{r}] != {c} && column[{r}] - {c} != rows - {r}"
            f" && {c} - column[{r}] != rows - {r})"
            for r in range(n - 1)
        )
        text += f"  :: {step(f'rows < {n}{free}', f'column[rows] = {c}', 'rows++')}\n"
    return Promela(f"{text}  od\n}}\n", 1, {"placed": f"[] (rows < {n})"})


# By size; further sizes have the names of the CSP# model, in small letters.
STRUCTURES: dict[str, Callable[..., Promela]] = {
    "commit": two_phase_commit,
    "fork": forking_server,
    "sort": sorting,
    "phases": phases,
    "nested": nested_phases,
    "calls": calls,
    "devices": interrupted_devices,
    "chain": chain,
    "groups": groups,
    "alike": alike,
    "canteen": canteen,
    "gossip": gossip,
    "hanoi": hanoi,
    "lru": least_recently_used,
    "registry": registry,
    "queens": queens,
}
