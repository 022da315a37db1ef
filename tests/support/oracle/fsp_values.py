"""Values, labels and indices of FSP: expressions under an environment, labels as lists of texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fairlead.lang.fsp import syntax as fsp

Value = int | str
Env = Mapping[str, Value]


class Rejected(Exception):
    """The text means nothing."""


def wrapped(value: int) -> int:
    """As 32 bits hold it."""
    return (value + 2**31) % 2**32 - 2**31


def as_value(text: str) -> Value:
    """A label that looks like a number is one."""
    return int(text) if text.lstrip("-").isdigit() else text


@dataclass
class Names:
    """Declared ranges and sets."""

    ranges: dict[str, tuple[int, int]] = field(default_factory=dict)
    sets: dict[str, list[str]] = field(default_factory=dict)

    # ------------------------------------------------------------ expressions

    def evaluate(self, e: fsp.Expression, env: Env) -> Value:
        match e:
            case fsp.Number(value):
                return value
            case fsp.Name(name):
                return env[name]
            case fsp.LabelValue(label):
                (text,) = self.texts(label, env)
                return as_value(text)
            case fsp.SetSize(labels):
                return len(self.texts(labels, env))
            case fsp.SetElement(labels, index):
                return as_value(self.texts(labels, env)[self.number(index, env)])
            case fsp.Unary(operator, operand):
                v = self.number(operand, env)
                return {"+": v, "-": wrapped(-v), "!": 0 if v > 0 else 1}[operator]
            case fsp.Binary(operator, left, right):
                a, b = self.evaluate(left, env), self.evaluate(right, env)
                if operator in ("==", "!="):
                    return int((str(a) == str(b)) == (operator == "=="))
                assert isinstance(a, int)
                assert isinstance(b, int)
                return wrapped(_binary(operator, a, b))
        raise AssertionError(e)

    def number(self, e: fsp.Expression, env: Env) -> int:
        value = self.evaluate(e, env)
        assert isinstance(value, int), e
        return value

    def holds(self, e: fsp.Expression | None, env: Env) -> bool:
        return e is None or self.number(e, env) != 0

    # ------------------------------------------------------------ indices

    def domain(self, domain: fsp.Domain, env: Env) -> list[Value]:
        match domain:
            case fsp.Interval(low, high):
                first, last = self.number(low, env), self.number(high, env)
                if first > last:
                    raise Rejected("an empty range")
                return list(range(first, last + 1))
            case fsp.SetBody():
                return [as_value(text) for text in self.set_texts(domain, env)]
            case fsp.Name(name) if name in self.sets and name not in env:
                return [as_value(text) for text in self.sets[name]]
            case fsp.Name(name) if name in self.ranges and name not in env:
                first, last = self.ranges[name]
                return list(range(first, last + 1))
        return [self.evaluate(domain, env)]

    def assignments(self, indices: Sequence[fsp.Index], env: Env) -> Iterator[tuple[list[Value], Env]]:
        """Each choice of values for indices, with the environment in which their variables stand for them."""
        if not indices:
            yield [], env
            return
        first, *rest = indices
        for value in self.domain(first.domain, env):
            inner = env if first.variable is None else {**env, first.variable: value}
            for values, last in self.assignments(rest, inner):
                yield [value, *values], last

    # ------------------------------------------------------------ labels

    def labels(self, label: fsp.Label, env: Env) -> list[tuple[str, Env]]:
        """Every text a label stands for, with what its variables are then."""
        found: list[tuple[list[str], Env]] = [([], env)]
        for part in label.parts:
            longer: list[tuple[list[str], Env]] = []
            for texts, inner in found:
                match part:
                    case fsp.NamePart(name):
                        longer.append(([*texts, name], inner))
                    case fsp.SetPart(chosen, without):
                        left_out = [] if without is None else self.set_texts(without, inner)
                        longer += [
                            ([*texts, t], inner) for t in self.set_texts(chosen, inner) if t not in left_out
                        ]
                    case fsp.Index():
                        longer += [([*texts, str(v)], last) for (v,), last in self.assignments([part], inner)]
            found = longer
        return [(".".join(texts), inner) for texts, inner in found]

    def texts(self, label: fsp.Label, env: Env) -> list[str]:
        return list(dict.fromkeys(text for text, _ in self.labels(label, env)))

    def set_texts(self, labels: fsp.LabelSet, env: Env) -> list[str]:
        match labels:
            case fsp.SetName(name):
                return self.sets[name]
            case fsp.SetBody(members):
                return list(dict.fromkeys(t for member in members for t in self.texts(member, env)))

    def pairs(self, relabellings: Sequence[fsp.Relabelling], env: Env) -> list[tuple[str, str]]:
        """(new, old), each new one with each old one."""
        found: list[tuple[str, str]] = []
        for item in relabellings:
            match item:
                case fsp.Relabel(new, old):
                    # a variable of the new label stands for its value in the old one
                    for text, inner in self.labels(new, env):
                        found += [(text, former) for former in self.texts(old, inner)]
                case fsp.RelabelForall(indices, body):
                    for _, inner in self.assignments(indices, env):
                        found += self.pairs(body, inner)
        return found


def _binary(operator: str, a: int, b: int) -> int:
    match operator:
        case "/":
            return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case "%":
            return abs(a) % abs(b) * (-1 if a < 0 else 1)
        case "<<":
            return a << (b % 32)
        case ">>":
            return a >> (b % 32)
    table = {
        "+": a + b, "-": a - b, "*": a * b, "&": a & b, "|": a | b, "^": a ^ b,
        "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b,
        "&&": a != 0 and b != 0, "||": a != 0 or b != 0,
    }  # fmt: skip
    return int(table[operator])
