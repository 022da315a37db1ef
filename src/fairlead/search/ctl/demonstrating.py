"""Runs that show a branching formula: to where it is decided, and branching off where it nests."""

from __future__ import annotations

from fairlead.logic.ltl import FALSE, TRUE, Always, And, Exists, Formula, Next, Not, Or, Until, subformulas
from fairlead.model.run import Run
from fairlead.outcome.demonstration import Branch, Demonstration
from fairlead.search.ctl.labelling import Labelling
from fairlead.search.target import IDLE_ACTION, RawStep, RawSteps, Target

#: so many branches are shown at most, and so deeply nested ones; deeper ones are judged all the same
MOST_BRANCHES = 200
DEEPEST = 40


class Demonstrator:
    """Finds the runs that show formulas in existential form which hold."""

    def __init__(self, target: Target, labelling: Labelling) -> None:
        self._target = target
        self._labelling = labelling
        self._graph = target.graph()
        self._left = MOST_BRANCHES

    def demonstration(self, formula: Formula, start: int, *, in_part: bool) -> Demonstration | None:
        """What shows a formula that holds at an initial state; None if no run can show anything of it.

        Unless it may be shown `in_part`, none of the needed formulas is about all paths.
        """
        needed = self._needed(formula, start, IDLE_ACTION)
        if not in_part and any(map(_is_universal, needed)):
            return None
        branches = self._branches(formula, start, IDLE_ACTION, 0)
        if not branches and any(isinstance(part, Exists) or _is_universal(part) for part in needed):
            return None
        return Demonstration(formula, self._target.state(self._graph, start), branches)

    def _needed(self, formula: Formula, state: int, action: int) -> list[Formula]:
        """What of a conjunction must be shown: literals, `E …` and `!E …`; of a disjunction what holds here.

        Where several alternatives hold, one is taken that is not about all paths.
        """
        needed: list[Formula] = []
        stack = [formula]
        while stack:
            node = stack.pop()
            match node:
                case And(left, right):
                    stack += (right, left)
                case Or(left, right):
                    holding = [part for part in (left, right) if self._labelling.holds(part, state, action)]
                    stack.append(next((part for part in holding if not _says_all(part)), holding[0]))
                case _:
                    needed.append(node)
        return needed

    def _branches(
        self, formula: Formula, state: int, action: int, depth: int, following: RawStep | None = None
    ) -> tuple[Branch, ...]:
        """A branch for each `E …` that makes a formula true at a position.

        None is needed for what the `following` step of the run shows on which the position lies.
        """
        found: list[Branch] = []
        for node in dict.fromkeys(self._needed(formula, state, action)):
            if self._is_shown_by(following, node):
                continue
            if isinstance(node, Exists) and self._left > 0 and depth < DEEPEST:
                self._left -= 1
                found.append(self._branch(node, state, action, depth))
        return tuple(found)

    def _is_shown_by(self, step: RawStep | None, formula: Formula) -> bool:
        """Whether a step shows an `EX p` that needs no branch itself."""
        match formula:
            case Exists(Next(p) as path) if step is not None and self._labelling.is_path_of_ctl(path):
                action, state = step
                plain = not any(isinstance(node, Exists) for node in subformulas(p))
                return plain and self._labelling.holds(p, state, action)
        return False

    def _branch(self, formula: Exists, state: int, action: int, depth: int) -> Branch:
        labelling = self._labelling
        if not labelling.is_path_of_ctl(formula.operand):
            _, stem, loop = labelling.accepted_path(state, action, formula)
            return self._run(formula, state, stem, loop, [], depth, action)
        match formula.operand:
            case Next(p):
                steps = labelling.way(state, FALSE, p)
                return self._way(formula, state, steps, [(1, p)], depth)
            case Until(p, q):
                steps = []
                if not (labelling.holds(q, state, action) and labelling.is_fair(state)):
                    steps = labelling.way(state, p, q)
                shown = [*((place, p) for place in range(len(steps))), (len(steps), q)]
                return self._way(formula, state, steps, shown, depth, action)
            case Always(p):
                _, stem, loop = labelling.fair_path(state, p)
                shown = [(place, p) for place in range(len(stem) + len(loop) + 1)]
                return self._run(formula, state, stem, loop, shown, depth, action)
        raise AssertionError(formula)

    def _way(
        self,
        formula: Exists,
        state: int,
        steps: RawSteps,
        shown: list[tuple[int, Formula]],
        depth: int,
        action: int = IDLE_ACTION,
    ) -> Branch:
        """A finite branch; it continues to a fair loop where this has to be seen and no part shows one."""
        branch = self._run(formula, state, steps, [], shown, depth, action)
        if self._labelling.always_continues or any(map(_goes_on, branch.parts_at(branch.last))):
            return branch
        last = steps[-1][1] if steps else state
        _, stem, loop = self._labelling.fair_path(last, TRUE)
        return Branch(formula, self._target.run(self._graph, state, [*steps, *stem], loop), branch.parts)

    def _run(
        self,
        formula: Exists,
        state: int,
        stem: RawSteps,
        loop: RawSteps,
        shown: list[tuple[int, Formula]],
        depth: int,
        action: int,
    ) -> Branch:
        """A branch with what shows formulas at its positions."""
        places = [(action, state), *stem, *loop]
        following = [*stem, *loop, loop[0] if loop else None]
        parts: list[tuple[int, tuple[Branch, ...]]] = []
        for place, part in shown:
            entering, at = places[place]
            branches = self._branches(part, at, entering, depth + 1, following[place])
            if branches:
                parts.append((place, branches))
        run: Run = self._target.run(self._graph, state, stem, loop)
        return Branch(formula, run, tuple(parts))


def _is_universal(formula: Formula) -> bool:
    """Whether a formula says something of all paths, which no run shows."""
    return isinstance(formula, Not) and isinstance(formula.operand, Exists)


def _says_all(formula: Formula) -> bool:
    """Whether some part of a formula does."""
    return any(map(_is_universal, subformulas(formula)))


def _goes_on(branch: Branch) -> bool:
    """Whether a branch leads to a loop."""
    while not branch.run.loop:
        following = [part for part in branch.parts_at(branch.last) if part.run.loop or part.parts]
        if not following:
            return False
        branch = following[0]
    return True
