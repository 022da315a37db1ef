"""The control flow of a proctype: its locations, and what can be executed at each.

A location is a statement that is to be executed next. `goto` and `break` are steps only where they begin an
option; elsewhere control is at once where they lead.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tests.support.promela import syntax as p


@dataclass(eq=False)
class Location:
    """A place where a process can be, and the statement there."""

    number: int
    #: None at the end of the proctype
    statement: p.Statement | None
    after: Location | None = None
    #: the outermost atomic sequence it belongs to
    atomic: int | None = None
    #: where the escapes begin that can interrupt here, those of the outermost `unless` first
    escapes: tuple[Location, ...] = ()
    #: where the options of `if` and `do` begin, or the one body of a `d_step`
    options: list[Location] = field(default_factory=list)
    labels: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Context:
    atomic: int | None = None
    escapes: tuple[Location, ...] = ()
    leaving: Location | None = None


class Flow:
    """All locations of one proctype."""

    def __init__(self, body: p.Body) -> None:
        self.locations: list[Location] = []
        self.labels: dict[str, Location] = {}
        self.end = self._new(None, None, _Context())
        self.start = self._body(body, self.end, _Context())

    def resolved(self, location: Location | None) -> Location:
        """Where control is when it comes to a location: `goto` and `break` lead on."""
        assert location is not None
        while isinstance(location.statement, p.Goto | p.Break):
            location = self.target(location)
        return location

    def target(self, location: Location) -> Location:
        """Where a `goto` or `break` leads."""
        if isinstance(location.statement, p.Goto):
            return self.labels[location.statement.label]
        assert location.after is not None
        return location.after

    def alternatives(self, location: Location) -> list[Location]:
        """The statements among which there is a choice at a location; nested selections are one choice."""
        if isinstance(location.statement, p.If | p.Do):
            return [one for option in location.options for one in self.alternatives(option)]
        return [location]

    def _new(self, statement: p.Statement | None, after: Location | None, context: _Context) -> Location:
        made = Location(len(self.locations), statement, after, context.atomic, context.escapes)
        self.locations.append(made)
        return made

    def _body(self, body: p.Body, after: Location, context: _Context) -> Location:
        for statement in reversed(body):
            after = self._statement(statement, after, context)
        return after

    def _statement(self, statement: p.Statement, after: Location, context: _Context) -> Location:
        match statement:
            case p.Labelled(label, p.For() | p.Select() as loop):
                # SPIN puts the label behind the first assignment, on the loop
                first, *rest = self._expanded(loop)
                inner = (first, p.Labelled(label, rest[0])) if rest else (p.Labelled(label, first),)
                return self._body(inner, after, context)
            case p.Labelled(label, inner):
                made = self._statement(inner, after, context)
                made.labels.add(label)
                self.labels[label] = made
                return made
            case p.Block(body):
                return self._body(body, after, context)
            case p.Atomic(body):
                number = len(self.locations) if context.atomic is None else context.atomic
                return self._body(body, after, replace(context, atomic=number))
            case p.Unless(main, escape):
                begin = self._body(escape, after, context)
                return self._body(main, after, replace(context, escapes=(*context.escapes, begin)))
            case p.For() | p.Select():
                return self._body(self._expanded(statement), after, context)
        made = self._new(statement, after, context)
        match statement:
            case p.If(options):
                made.options = [self._body(option, after, context) for option in options]
            case p.Do(options):
                inside = replace(context, leaving=after)
                made.options = [self._body(option, made, inside) for option in options]
            case p.DStep(body):
                inside = _Context()
                made.options = [self._body(body, self._new(None, None, inside), inside)]
            case p.Break():
                made.after = context.leaving
        return made

    def _expanded(self, statement: p.For | p.Select) -> p.Body:
        """A statement that is an abbreviation, in full."""
        variable = statement.variable
        first = p.Assign(variable, _number(statement.low))
        match statement:
            case p.For(_, _, high, body):
                more: p.Body = (
                    p.Condition(p.Binary("<=", variable, _number(high))),
                    *body,
                    p.Step(variable, "++"),
                )
                return (first, p.Do((more, (p.Else(), p.Break()))))
            case p.Select(_, low, high) if low >= 0 and variable.name.isalnum() and variable.index is None:
                # SPIN's lexer makes a choice of it, where it can; it knows no underscores
                return (p.If(tuple((p.Assign(variable, p.Num(value)),) for value in range(low, high + 1))),)
            case p.Select(_, _, high):
                more = (p.Condition(p.Binary("<", variable, _number(high))), p.Step(variable, "++"))
                return (first, p.Do((more, (p.Break(),))))


def _number(value: int) -> p.Expr:
    return p.Num(value) if value >= 0 else p.Unary("-", p.Num(-value))
