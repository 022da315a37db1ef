"""The pairs of a refinement: states of a process, each with least sets of states of its specification."""

from __future__ import annotations

from collections.abc import Callable

from fairlead.base.allowance import tick
from fairlead.base.diagnostics import Code, Diagnostic, InternalError
from fairlead.checker.certificates.explored import Explored
from fairlead.model.components import strong_components
from fairlead.model.labels import is_internal

Members = frozenset[int]


class PairGraph:
    """The pairs that are reached, and a rank for each state that internal steps decrease where it matters."""

    def __init__(self, process: Explored, specification: Explored, sees_divergence: bool) -> None:
        self._process = process
        self._specification = specification
        self._sees_divergence = sees_divergence
        self._after: dict[tuple[Members, str], Members] = {}
        self._divergent: dict[Members, bool] = {}
        self.pairs: dict[int, list[Members]] = {}
        self._explore()
        self.ranks = self._ranked() if sees_divergence else {}

    def _explore(self) -> None:
        begin = self._closed(frozenset(self._specification.initial))
        pending = [(state, begin) for state in self._process.initial]
        while pending:
            tick()
            state, members = pending.pop()
            if not members:
                problem = "the search says that the process refines its specification, and it does not"
                raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))
            known = self.pairs.setdefault(state, [])
            if any(other <= members for other in known):
                continue
            known[:] = [*(other for other in known if not members <= other), members]
            if self._is_free(members):
                continue
            for action, target in self._process.rows[state]:
                event = self._process.action(action)[0]
                after = members if is_internal(event) else self._reached(members, event)
                pending.append((target, after))

    def _is_free(self, members: Members) -> bool:
        """Whether everything is allowed from here on."""
        return self._sees_divergence and self._diverges(members)

    def _internal(self, member: int) -> Members:
        return self._targets(member, is_internal)

    def _targets(self, member: int, is_meant: Callable[[str], bool]) -> Members:
        specification = self._specification
        row = specification.rows[member]
        return frozenset(target for action, target in row if is_meant(specification.action(action)[0]))

    def _closed(self, members: Members) -> Members:
        found = set(members)
        pending = list(members)
        while pending:
            fresh = self._internal(pending.pop()) - found
            found |= fresh
            pending += fresh
        return frozenset(found)

    def _reached(self, members: Members, event: str) -> Members:
        key = members, event
        if key not in self._after:
            found = (self._targets(member, lambda other: other == event) for member in members)
            self._after[key] = self._closed(frozenset().union(*found))
        return self._after[key]

    def _diverges(self, members: Members) -> bool:
        if members not in self._divergent:
            left = {member: self._internal(member) for member in members}
            while ended := [member for member, after in left.items() if not after & left.keys()]:
                for member in ended:
                    del left[member]
            self._divergent[members] = bool(left)
        return self._divergent[members]

    def _ranked(self) -> dict[int, int]:
        """Internal steps from pairs where the specification does not diverge must end."""
        bound = [
            state
            for state, sets in self.pairs.items()
            if any(not self._diverges(members) for members in sets)
        ]
        place = {state: number for number, state in enumerate(bound)}
        inner = [
            [
                place[target]
                for action, target in self._process.rows[state]
                if is_internal(self._process.action(action)[0]) and target in place
            ]
            for state in bound
        ]
        ranks: dict[int, int] = {}
        for members in strong_components(len(bound), inner.__getitem__):
            number = members[0]
            if len(members) > 1 or number in inner[number]:
                problem = "the search says that the process does not diverge, and it may"
                raise InternalError((Diagnostic(Code.INTERNAL, f"no certificate: {problem}"),))
            ranks[bound[number]] = max((ranks[bound[after]] + 1 for after in inner[number]), default=0)
        return ranks
