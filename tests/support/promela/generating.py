"""Random Promela programs with few states, over nearly the whole language; SPIN accepts all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tests.support.promela import syntax as p

T = TypeVar("T")

_SCALARS = ("bit", "bool", "byte", "short", "int", "unsigned:2", "unsigned:3", "mtype", "pid")
_FIELDS = ("bit", "bool", "byte", "short", "int", "mtype")
#: what does not fit into some type
_LARGE = (-1, 2, 7, 8, 255, 256, 257, 300, -129, 32767, 32768, 65535, 70000, -40000)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ARITHMETIC = ("+", "-", "*", "&", "|", "^", "<<", ">>")


@dataclass(frozen=True)
class _Place:
    """Where a statement stands."""

    depth: int = 0
    in_loop: bool = False
    in_atomic: bool = False
    in_d_step: bool = False
    labels: tuple[str, ...] = ()


@dataclass
class _Scope:
    """The names that a proctype can use."""

    scalars: list[p.Declared] = field(default_factory=list)
    arrays: list[p.Declared] = field(default_factory=list)
    channels: list[p.Channel] = field(default_factory=list)
    proctypes: list[p.Proctype] = field(default_factory=list)
    #: what another process can be asked about: labels and variables, by proctype and pid
    remote: list[p.AtLabel | p.RemoteVar] = field(default_factory=list)


def _holds(variable: str, kind: str) -> bool:
    """Whether each value of a field fits into a variable."""
    wider = {
        "bit": _SCALARS,
        "bool": _SCALARS,
        "byte": ("byte", "mtype", "pid", "short", "int"),
        "mtype": ("byte", "mtype", "pid", "short", "int"),
        "short": ("short", "int"),
        "int": ("int",),
    }
    return variable in wider[kind]


def _without_skips(body: Iterable[p.Statement]) -> list[p.Statement]:
    """A body without skips behind skips and prints: SPIN leaves them out, except in certain places."""
    kept: list[p.Statement] = []
    for one in body:
        if one != p.Condition(p.Num(1)) or not kept or not isinstance(kept[-1], p.Print | p.Condition):
            kept.append(one)
    return kept


def random_program(seed: int) -> p.Program:
    """The program of a seed."""
    return _Maker(Random(seed)).program()


class _Maker:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._scope = _Scope()
        self._has_mtype = rng.random() < 0.3
        self._has_timeout = rng.random() < 0.25
        self._has_names = rng.random() < 0.3
        self._has_asserts = rng.random() < 0.4

    # ------------------------------------------------------------ the whole

    def program(self) -> p.Program:
        """A few variables, channels and processes."""
        rng = self._rng
        variables = [self._declared(f"g{n}") for n in range(rng.choice([1, 1, 2, 2, 3]))]
        if rng.random() < 0.2:
            variables.append(p.Declared(rng.choice(["byte", "bit", "short"]), "ga", 2))
        typedefs: tuple[tuple[str, tuple[p.Declared, ...]], ...] = ()
        if rng.random() < 0.15:
            parts = (p.Declared("byte", "f"), p.Declared("bit", "b"), p.Declared("short", "s", 2))
            typedefs = (("Rec", parts),)
            variables.append(p.Declared("Rec", "gr"))
        channels = [self._channel(f"c{n}") for n in range(rng.choice([0, 1, 1, 1, 2]))]
        self._scope = self._seen(variables, channels, _Scope())
        return p.Program(
            tuple(self._proctypes()),
            tuple(variables),
            tuple(channels),
            ("ma", "mb", "mc") if self._has_mtype else (),
            typedefs,
        )

    def _proctypes(self) -> list[p.Proctype]:
        rng = self._rng
        shape = rng.choice(["active", "active", "active", "several", "run", "run"])
        made: list[p.Proctype] = []
        if shape == "run":
            made = [self._proctype(f"P{n}", 0) for n in range(rng.choice([1, 1, 2]))]
            self._scope.proctypes = made
            starters = [p.Proctype("init", self._top(rng.choice([1, 2, 3]), starts=True))]
            if rng.random() < 0.3:
                self._scope.proctypes = []
                starters.append(self._proctype("Q", 1))
            return [*made, *starters]
        pids = 0
        for n in range(rng.choice([1, 2, 2, 2, 3])):
            count = 2 if shape == "several" and n == 0 else 1
            one = self._proctype(f"P{n}", count)
            made.append(one)
            self._scope.remote += self._askable(one, pids)
            pids += count
        return made

    def _askable(self, proctype: p.Proctype, pid: int) -> list[p.AtLabel | p.RemoteVar]:
        labels = [one.label for one in proctype.body if isinstance(one, p.Labelled)]
        found: list[p.AtLabel | p.RemoteVar] = [p.AtLabel(proctype.name, pid, label) for label in labels]
        found += [p.RemoteVar(proctype.name, pid, one.name) for one in proctype.variables if one.size is None]
        return found

    def _proctype(self, name: str, active: int) -> p.Proctype:
        rng = self._rng
        outer = self._scope
        variables = [self._declared(f"{name.lower()}_{n}") for n in range(rng.choice([0, 0, 1, 1, 2]))]
        parameters = []
        if not active and rng.random() < 0.5:
            parameters.append(p.Declared(rng.choice(["byte", "bit", "short"]), f"{name.lower()}_a"))
        channels = [self._channel(f"{name.lower()}_c")] if rng.random() < 0.08 else []
        provided = None
        if rng.random() < 0.12:
            provided = self._global_condition()
        self._scope = self._seen([*parameters, *variables], channels, outer)
        body = self._top(rng.choice([1, 2, 3, 4]), starts=False)
        self._scope = outer
        return p.Proctype(name, body, tuple(parameters), tuple(variables), tuple(channels), active, provided)

    def _seen(self, variables: Sequence[p.Declared], channels: Sequence[p.Channel], outer: _Scope) -> _Scope:
        flat: list[p.Declared] = []
        for one in variables:
            if one.type == "Rec":
                flat += [p.Declared("byte", f"{one.name}.f"), p.Declared("bit", f"{one.name}.b")]
                flat.append(p.Declared("short", f"{one.name}.s", 2))
            else:
                flat.append(one)
        return _Scope(
            outer.scalars + [one for one in flat if one.size is None],
            outer.arrays + [one for one in flat if one.size is not None],
            outer.channels + list(channels),
            outer.proctypes,
            outer.remote,
        )

    def _declared(self, name: str) -> p.Declared:
        kind = self._rng.choice(_SCALARS)
        if kind == "mtype" and not self._has_mtype:
            kind = "byte"
        return p.Declared(kind, name, None, self._rng.choice([0, 0, 0, 1]) if kind != "mtype" else 0)

    def _channel(self, name: str) -> p.Channel:
        rng = self._rng
        fields = tuple(
            rng.choice([one for one in _FIELDS if one != "mtype" or self._has_mtype])
            for _ in range(rng.choice([1, 1, 2]))
        )
        return p.Channel(name, rng.choice([0, 0, 0, 1, 1, 2]), fields, 2 if rng.random() < 0.1 else None)

    def _top(self, length: int, starts: bool) -> p.Body:
        """The body of a proctype: statements, some with labels, or a loop."""
        rng = self._rng
        labels = tuple(f"{rng.choice(['L', 'L', 'end', 'progress', 'accept'])}{n}" for n in range(2))
        used = labels if rng.random() < 0.4 else ()
        place = _Place(labels=used)
        body: list[p.Statement] = []
        if starts:
            runs = [self._run() for _ in range(rng.choice([1, 2, 2]))]
            body += [p.Atomic(tuple(runs))] if rng.random() < 0.4 else runs
        loops = rng.random() < 0.5
        body += self._body(length, place)
        if loops:
            loop: p.Statement = p.Do(self._options(_Place(1, in_loop=True, labels=used)))
            if rng.random() < 0.4:
                loop = p.Labelled("end", loop)
            body.append(loop)
        spots = [
            n for n, one in enumerate(body) if not isinstance(one, p.Labelled | p.Goto | p.Unless | p.Block)
        ]
        for label in used:
            if not spots:
                body.append(p.Labelled(label, p.Condition(p.Num(1))))
                continue
            spot = spots.pop(rng.randrange(len(spots)))
            body[spot] = p.Labelled(label, body[spot])
        return tuple(body)

    # ------------------------------------------------------------ statements

    def _body(self, length: int, place: _Place, may_block: bool = True) -> list[p.Statement]:
        return _without_skips(
            self._statement(place, is_first=number == 0 and place.depth > 0 and may_block)
            for number in range(length)
        )

    def _statement(self, place: _Place, is_first: bool) -> p.Statement:
        simple: list[tuple[int, Callable[[_Place], p.Statement | None]]] = [
            (6, self._assign),
            (2, self._count),
            # inside a d_step only the first statement may block
            (0 if place.in_d_step and not is_first else 2, lambda _: p.Condition(self._condition())),
            (1, lambda _: p.Condition(p.Num(1))),
            (2 if self._has_asserts else 0, lambda _: p.Assert(self._condition())),
            (1, lambda _: p.Print((self._expression(1),))),
        ]
        if not place.in_d_step:
            simple += [(5, self._send), (5, self._receive)]
            simple.append((1 if self._has_timeout else 0, lambda _: p.Condition(p.Name("timeout"))))
            simple.append((1 if self._scope.proctypes and not place.in_loop else 0, lambda _: self._run()))
        if place.depth < 2 and not place.in_d_step:
            simple += [(2, self._if), (2, self._atomic), (2, self._d_step), (1, self._for), (1, self._select)]
            simple.append((0 if place.in_atomic else 1, self._do))
            simple.append((0 if is_first else 2, self._unless))
            simple.append((1, self._block))
        elif place.in_d_step and place.depth < 3:
            simple += [(1, self._if_with_else), (1, self._for)]
        while True:
            (make,) = self._rng.choices([make for _, make in simple], [weight for weight, _ in simple])
            made = make(place)
            if made is not None:
                return made

    def _assign(self, place: _Place) -> p.Statement:
        target = self._target()
        if place.in_loop:
            rng = self._rng
            small: p.Expr = p.Num(rng.choice([0, 1, 2]))
            if rng.random() < 0.3:
                small = p.Binary("%", self._expression(1), p.Num(rng.choice([2, 3])))
            return p.Assign(target, small)
        return p.Assign(target, self._expression(2))

    def _count(self, place: _Place) -> p.Statement | None:
        small = [
            one for one in self._scope.scalars if one.type in ("bit", "bool", "unsigned:2", "unsigned:3")
        ]
        choices = small if place.in_loop else self._scope.scalars
        if not choices:
            return None
        return p.Step(p.Var(self._rng.choice(choices).name), self._rng.choice(["++", "--"]))

    def _send(self, place: _Place) -> p.Statement | None:
        if not self._scope.channels:
            return None
        channel = self._rng.choice(self._scope.channels)
        values = tuple(self._message(kind) for kind in channel.fields)
        return p.Send(self._of(channel), values, channel.capacity > 0 and self._rng.random() < 0.2)

    def _receive(self, place: _Place) -> p.Statement | None:
        if not self._scope.channels:
            return None
        rng = self._rng
        channel = rng.choice(self._scope.channels)
        buffered = channel.capacity > 0
        whole = len(channel.fields) == 1
        patterns = tuple(
            self._pattern("byte" if whole and kind in ("bit", "bool") else kind) for kind in channel.fields
        )
        names = [one.name for one in patterns if isinstance(one, p.Var) and one.name != "_"]
        if len(names) > len(set(names)):
            return None  # SPIN refuses a variable that is received twice
        return p.Receive(
            self._of(channel),
            patterns,
            buffered and rng.random() < 0.2,
            buffered and rng.random() < 0.15,
        )

    def _message(self, kind: str) -> p.Expr:
        rng = self._rng
        if kind == "mtype" and rng.random() < 0.8:
            return p.Name(rng.choice(["ma", "mb", "mc"]))
        if rng.random() < 0.1:
            return p.Num(rng.choice(_LARGE))
        return p.Num(rng.choice([0, 1, 2])) if rng.random() < 0.6 else self._expression(1)

    def _pattern(self, kind: str) -> p.Pattern:
        rng = self._rng
        chance = rng.random()
        if chance < 0.15:
            return p.Var("_")
        if chance < 0.3:
            return p.Eval(self._expression(1))
        if chance < 0.5:
            return p.Name(rng.choice(["ma", "mb", "mc"])) if kind == "mtype" else p.Num(rng.choice([0, 1, 2]))
        # a value that does not fit is lost when SPIN goes back, for it takes the message from the variable
        wide = [one for one in self._scope.scalars if _holds(one.type, kind)]
        return p.Var(rng.choice(wide).name) if wide else p.Var("_")

    def _run(self) -> p.Statement:
        proctype = self._rng.choice(self._scope.proctypes)
        into = self._target() if self._rng.random() < 0.3 else None
        return p.Run(proctype.name, tuple(self._expression(1) for _ in proctype.parameters), into)

    def _if(self, place: _Place) -> p.Statement:
        return p.If(self._options(self._inner(place)))

    def _do(self, place: _Place) -> p.Statement:
        inner = self._inner(place, in_loop=True)
        options = list(self._options(inner))
        if not any(isinstance(option[-1], p.Break) for option in options):
            options.insert(0, (p.Condition(self._condition()), p.Break()))
        return p.Do(tuple(options))

    def _if_with_else(self, place: _Place) -> p.Statement:
        inner = self._inner(place)
        guarded = (p.Condition(self._condition()), *self._body(1, inner, may_block=False))
        return p.If((guarded, (p.Else(), *self._body(1, inner, may_block=False))))

    def _for(self, place: _Place) -> p.Statement | None:
        counters = [
            one
            for one in self._scope.scalars
            if one.type in ("byte", "short", "int", "unsigned:3") and "." not in one.name
        ]
        if not counters:
            return None
        # the body changes nothing that the loop depends on, or it might not end
        variable = p.Var(self._rng.choice(counters).name)
        body = (p.Condition(p.Num(1)),) if self._rng.random() < 0.5 else (p.Print((variable,)),)
        return p.For(variable, self._rng.choice([0, 1]), self._rng.choice([1, 2]), body)

    def _select(self, place: _Place) -> p.Statement | None:
        low = self._rng.choice([-1, 0, 0, 1])
        # a loop with more values than the variable has would not end
        names = [one.name for one in self._scope.scalars if "." not in one.name and ":2" not in one.type]
        return (
            p.Select(p.Var(self._rng.choice(names)), low, low + self._rng.choice([1, 2])) if names else None
        )

    def _atomic(self, place: _Place) -> p.Statement:
        return p.Atomic(tuple(self._body(self._rng.choice([1, 2, 3]), self._inner(place, in_atomic=True))))

    def _d_step(self, place: _Place) -> p.Statement:
        inner = self._inner(place, in_d_step=True)
        remote, self._scope.remote = self._scope.remote, []  # SPIN allows no remote references there
        body = self._body(self._rng.choice([1, 2, 3]), inner)
        self._scope.remote = remote
        if isinstance(body[0], p.Print):
            body.insert(0, p.Condition(p.Num(1)))  # SPIN runs it in the middle of a handshake otherwise
        return p.DStep(tuple(body))

    def _block(self, place: _Place) -> p.Statement:
        body = self._body(self._rng.choice([1, 2]), self._inner(place))
        if isinstance(body[0], p.Do):
            body.insert(0, p.Condition(p.Num(1)))  # the block and the loop are two places in SPIN
        return p.Block(tuple(body))

    def _unless(self, place: _Place) -> p.Statement:
        inner = self._inner(place)
        main = self._body(self._rng.choice([1, 2, 3]), inner)
        escape = [p.Condition(self._condition()), *self._body(self._rng.choice([0, 1, 2]), inner)]
        if self._rng.random() < 0.25:
            received = self._receive(place)
            escape[0:1] = [received] if received is not None else escape[0:1]
        return p.Unless(tuple(main), tuple(escape))

    def _inner(self, place: _Place, **changes: bool) -> _Place:
        return _Place(
            place.depth + 1,
            changes.get("in_loop", False) or place.in_loop,
            changes.get("in_atomic", False) or place.in_atomic,
            changes.get("in_d_step", False) or place.in_d_step,
            place.labels,
        )

    def _options(self, place: _Place) -> tuple[p.Body, ...]:
        rng = self._rng
        has_else = rng.random() < 0.25
        options: list[p.Body] = []
        for _ in range(rng.choice([1, 2, 2, 3])):
            inner = _Place(2, place.in_loop, place.in_atomic, place.in_d_step, place.labels)
            # else goes with conditions only: SPIN refuses it beside messages
            first = p.Condition(self._condition()) if has_else else self._statement(inner, is_first=True)
            rest = self._body(rng.choice([0, 0, 1, 2]), inner)
            options.append(tuple(_without_skips((first, *rest, *self._exit(place)))))
        if has_else:
            rest = self._body(rng.choice([0, 1]), place) if place.depth < 2 else []
            rest = rest or [p.Condition(p.Num(1))]
            options.append((p.Else(), *rest, *self._exit(place)))
        return tuple(options)

    def _exit(self, place: _Place) -> list[p.Statement]:
        chance = self._rng.random()
        if place.in_loop and chance < 0.15 and not place.in_atomic:
            return [p.Break()]
        if place.labels and chance < 0.3:
            return [p.Goto(self._rng.choice(place.labels))]
        return []

    # ------------------------------------------------------------ expressions

    def _target(self) -> p.Var:
        rng = self._rng
        if self._scope.arrays and (rng.random() < 0.25 or not self._scope.scalars):
            return self._element(rng.choice(self._scope.arrays))
        return p.Var(rng.choice(self._scope.scalars).name)

    def _element(self, array: p.Declared) -> p.Var:
        rng = self._rng
        if rng.random() < 0.3 and self._scope.scalars:
            return p.Var(array.name, p.Binary("&", p.Var(rng.choice(self._scope.scalars).name), p.Num(1)))
        return p.Var(array.name, p.Num(rng.choice([0, 1])))

    def _of(self, channel: p.Channel) -> p.Var:
        return p.Var(channel.name, None if channel.size is None else p.Num(self._rng.choice([0, 1])))

    def _expression(self, depth: int) -> p.Expr:
        rng = self._rng
        chance = rng.random()
        if depth == 0 or chance < 0.3:
            return self._atom()
        if chance < 0.75:
            operator = rng.choice(_ARITHMETIC)
            if operator in ("<<", ">>"):
                return p.Binary(operator, self._expression(depth - 1), p.Num(rng.choice([0, 1, 8])))
            return p.Binary(operator, self._expression(depth - 1), self._expression(depth - 1))
        if chance < 0.8:
            divisor = p.Num(rng.choice([2, 3, -2]))
            return p.Binary(rng.choice(["/", "%"]), self._expression(depth - 1), divisor)
        if chance < 0.87:
            return p.Unary(rng.choice(["-", "~", "!"]), self._expression(depth - 1))
        if chance < 0.93:
            return p.Conditional(self._plain(), self._expression(depth - 1), self._expression(depth - 1))
        return self._plain()

    def _atom(self) -> p.Expr:
        rng = self._rng
        chance = rng.random()
        if chance < 0.08:
            return p.Num(rng.choice(_LARGE))
        if chance < 0.35:
            return p.Num(rng.choice([0, 1, 2, 3]))
        if self._has_names and chance < 0.5:
            return p.Name(rng.choice(["_pid", "_pid", "_nr_pr", "_last"]))
        if self._has_mtype and chance < 0.55:
            return p.Name(rng.choice(["ma", "mb", "mc"]))
        if self._scope.remote and chance < 0.65:
            return rng.choice(self._scope.remote)
        if chance < 0.7 and any(one.capacity for one in self._scope.channels):
            return self._about_channel()
        return self._target()

    def _about_channel(self) -> p.Expr:
        # a handshake is in its channel while the receiver is asked, so that its length depends on who looks
        return p.Measure(
            "len", self._of(self._rng.choice([one for one in self._scope.channels if one.capacity]))
        )

    def _condition(self) -> p.Expr:
        rng = self._rng
        if rng.random() < 0.15:
            return p.Binary(rng.choice(["&&", "||"]), self._comparison(), self._comparison())
        return self._comparison()

    def _comparison(self) -> p.Expr:
        # in SPIN's grammar, `full` and its kind are no operands of a comparison; polls are, with wrong C
        buffered = [one for one in self._scope.channels if one.capacity]
        chance = self._rng.random()
        if buffered and chance < 0.1:
            function = self._rng.choice(["empty", "nempty", "full", "nfull"])
            return p.Measure(function, self._of(self._rng.choice(buffered)))
        if buffered and chance < 0.15:
            return self._poll(self._rng.choice(buffered))
        return self._plain()

    def _poll(self, channel: p.Channel) -> p.Expr:
        rng = self._rng
        patterns = tuple(
            p.Eval(self._target()) if rng.random() < 0.2 else p.Num(rng.choice([0, 1, 2]))
            for _ in channel.fields
        )
        return p.Poll(self._of(channel), patterns, rng.random() < 0.4)

    def _plain(self) -> p.Expr:
        return p.Binary(self._rng.choice(_COMPARISONS), self._atom(), p.Num(self._rng.choice([0, 1, 2])))

    def _global_condition(self) -> p.Expr:
        variable = p.Var(self._rng.choice(self._scope.scalars).name)
        return p.Binary(self._rng.choice(_COMPARISONS), variable, p.Num(self._rng.choice([0, 1])))
