"""Evidence as a value: a validated run with what it shows, ready to be printed, sent or stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairlead.base.display import in_one_line, presenter
from fairlead.base.records import dataclass
from fairlead.evidence.annotated import AnnotationReason, annotation_reasons
from fairlead.evidence.changes import Change, StateView, changes
from fairlead.evidence.conditions import ConditionReason, condition_reasons
from fairlead.evidence.exclusion import Exclusion
from fairlead.evidence.explanation import Explanation
from fairlead.evidence.fair_loop import Reason, fairness_reasons
from fairlead.logic.fairness.formula import Conjunct
from fairlead.logic.fairness.notions import Fairness
from fairlead.logic.wording import spelt
from fairlead.model.annotation import Annotated
from fairlead.model.attempts import direction
from fairlead.model.labels import is_internal
from fairlead.model.run import Run
from fairlead.model.system import State, Step, System
from fairlead.outcome.component import Component
from fairlead.outcome.demonstration import Branch, Demonstration


@dataclass(frozen=True)
class StepView:
    """One step as it is shown: the event, who took part, the state after it and what changed."""

    event: str
    processes: tuple[str, ...]
    state: StateView
    changes: tuple[Change, ...]
    #: of a handshake: who sends, and who receives
    direction: tuple[str, str] | None = None

    def __repr__(self) -> str:
        return in_one_line(f"<Step {step_line(self.label, self.processes, self.changes)}>")

    def to_json(self) -> dict[str, Any]:
        """The step for programs."""
        roles = (
            {} if self.direction is None else dict(zip(("sender", "receiver"), self.direction, strict=True))
        )
        return {"event": self.event, "processes": list(self.processes), **roles, "state": self.state}

    @property
    def who(self) -> str:
        """Who takes part; in a handshake, from whom to whom the message goes."""
        return ", ".join(self.processes) if self.direction is None else " → ".join(self.direction)

    @property
    def label(self) -> str:
        """The event for people: an internal step shows the construct that makes it."""
        if not is_internal(self.event):
            return self.event
        return self.event.rpartition("@")[0] or self.event


def step_line(label: str, processes: Sequence[str], changed: Sequence[str] = ()) -> str:
    """A step in one line."""
    who = f" by {', '.join(processes)}" if processes else ""
    return f"{label}{who}" + (f": {', '.join(changed)}" if changed else "")


def step_views(system: System, state: State, steps: Sequence[Step]) -> list[StepView]:
    """Steps that follow each other from a state, as they are shown."""
    views = []
    before = StateView(system.describe(state))
    for step in steps:
        after = StateView(system.describe(step.target))
        told, way = tuple(changes(before, after)), direction(system, state, step)
        views.append(StepView(step.event, tuple(sorted(step.processes)), after, told, way))
        before, state = after, step.target
    return views


#: what branches off is stored to this depth; deeper branches are computed again when it is judged
DEEPEST = 100


@dataclass(frozen=True)
class Evidence:
    """A run that was replayed and judged, for a verdict under a notion of fairness.

    `fair` are the conditions of a fairness formula. Evidence about branching time has a demonstration,
    whose main run is the run. `exclusion` tells what would have excluded a lasso that violates a formula.
    `component` is where the execution stays, if the loop is only a cycle there. `offset` steps lead to the
    start of a run that is a branch of another.
    """

    system: System
    run: Run
    fairness: Fairness
    annotations: tuple[Annotated, ...] = ()
    explanation: Explanation | None = None
    fair: tuple[Conjunct, ...] = ()
    demonstration: Demonstration | None = None
    exclusion: Exclusion | None = None
    component: Component | None = None
    offset: int = 0

    def __repr__(self) -> str:
        return f"<Evidence: {self.run.lengths}>"

    def __iter__(self) -> Iterator[StepView]:
        """The steps of the run: those of the stem, then those of the loop, once."""
        return iter(self.steps)

    @property
    def initial(self) -> StateView:
        """The state the run starts in."""
        return StateView(self.system.describe(self.run.start))

    @property
    def steps(self) -> list[StepView]:
        """The steps of the stem, then those of the loop, once."""
        return step_views(self.system, self.run.start, (*self.run.stem, *self.run.loop))

    def to_rows(self) -> list[dict[str, Any]]:
        """A row for the start and for each step, for a data frame: what happens, and the variables after it.

        A variable that is called like a column has `variables.` before its name.
        """
        from fairlead.evidence.rows import run_rows

        return run_rows(self.initial, self.steps, len(self.run.stem))

    @property
    def stem(self) -> list[StepView]:
        """The steps before the loop (all steps, if there is none)."""
        return self._views(self.run.start, self.run.stem)

    @property
    def loop(self) -> list[StepView]:
        """The steps that repeat forever."""
        return self._views(self.run.loop_start, self.run.loop)

    @property
    def reasons(self) -> list[Reason]:
        """Why the loop is fair."""
        return fairness_reasons(self.system, self.run, self.fairness, self.offset)

    @property
    def annotation_reasons(self) -> list[AnnotationReason]:
        """Why the loop is fair to each annotation."""
        return annotation_reasons(self.system, self.run, self.annotations, self.offset)

    @property
    def condition_reasons(self) -> list[ConditionReason]:
        """Why the loop is fair by each condition of the fairness formula."""
        return condition_reasons(self.system, self.run, self.fair, self.offset)

    @property
    def is_about_fairness(self) -> bool:
        """Whether not every execution counts."""
        return self.fairness is not Fairness.NONE or bool(self.annotations or self.fair)

    def of_branch(self, branch: Branch, offset: int = 0) -> Evidence:
        """The run of a branch, which starts after so many steps, under the same assumptions, by itself."""
        return Evidence(
            self.system, branch.run, self.fairness, self.annotations, fair=self.fair, offset=offset
        )

    def _views(self, state: State, steps: tuple[Step, ...]) -> list[StepView]:
        return step_views(self.system, state, steps)

    def _repr_html_(self) -> str:
        return presenter().notebook(self)

    def to_json(self) -> dict[str, Any]:
        """The evidence for programs; `fairlead validate` reads it back."""
        data: dict[str, Any] = {"initial": self.initial, **self._run_json()}
        if self.demonstration is not None:
            data["shows"] = spelt(self.demonstration.formula)
            data["branches"] = self._branches_json(self.demonstration.branches)
        if self.component is not None:
            data["component"] = self.component.to_json()
        if self.exclusion is not None:
            data["excluded_by"] = self.exclusion.to_json()
        if self.explanation is not None:
            if self.explanation.blames is not None:
                data["property"] = self.explanation.blames
            data["explanation"] = self.explanation.to_json()
        return data

    def _run_json(self) -> dict[str, Any]:
        return {
            "stem": [view.to_json() for view in self.stem],
            "loop": [view.to_json() for view in self.loop],
        }

    def _branches_json(self, branches: tuple[Branch, ...]) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        pending = [(0, branch, found, 1) for branch in reversed(branches)]
        while pending:
            position, branch, entries, depth = pending.pop()
            if depth == DEEPEST:
                branch = branch.straightened()
            below: list[dict[str, Any]] = []
            entries.append(
                {
                    "position": position,
                    "formula": spelt(branch.formula),
                    **self.of_branch(branch)._run_json(),
                    "branches": below,
                }
            )
            pending += [
                (place, part, below, depth + 1)
                for place, parts in reversed(branch.parts)
                for part in reversed(parts)
            ]
        return found
