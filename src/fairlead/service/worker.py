"""The process in which a job runs: reads a request, tells how far it is, and writes the record of the answer.

It ends when its standard input does, so it never outlives the process that started it, however that ended.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fairlead.api.loading import load_named
from fairlead.api.model import Model
from fairlead.base.diagnostics import Code, FairleadError, InputError, LimitReached, input_error
from fairlead.base.files import confined, overlaid
from fairlead.base.forms import Form, identifier
from fairlead.checker.options import CheckOptions
from fairlead.checker.result import Result
from fairlead.logic.fairness.notions import parse_fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Phase, Progress
from fairlead.outcome.limits import Clock, within
from fairlead.present.answers_json import answers_json, failure_json
from fairlead.service.requests import JobKind, Request

if TYPE_CHECKING:
    from fairlead.base.source import Span
    from fairlead.lang.language import LoadedModel
    from fairlead.present.html.notebook import Shown
    from fairlead.simulation.value import Simulation

#: progress within one phase is reported at most so often, in seconds
_EVERY = 0.1
Tell = Callable[[dict[str, Any]], None]
Done = TypeVar("Done")


def main() -> None:
    """Does the job that standard input asks for."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # nothing else may come between the lines
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    asked = Request.of_line(lines.get())

    def tell(event: dict[str, Any]) -> None:
        output.write(json.dumps(event, ensure_ascii=False) + "\n")
        output.flush()

    if asked.kind is JobKind.SESSION:
        session(asked, iter(lines.get, None), tell)
    else:
        work(asked, tell)
    output.close()
    os._exit(0)  # the thread above waits for the input


def _listen(lines: queue.SimpleQueue[str]) -> None:
    """Passes on what comes in; after the end of the input no client waits for an answer."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(1)


def work(asked: Request, tell: Tell) -> None:
    """Does a job; the last event is its record, or why there is none."""
    try:
        with _texts(asked):
            record, answer = _WORK[asked.kind](asked, tell)
        tell({"event": "record", "record": record, **_shown(asked, answer)})
    except FairleadError as error:
        tell({"event": "refused", "record": _failure(asked, error), "problems": _problems(error)})
    except Exception as error:  # whatever it is, the client must hear of it
        tell({"event": "failed", "message": f"{type(error).__name__}: {error}"})


@contextmanager
def _texts(asked: Request) -> Iterator[None]:
    """Inside, the texts of a request stand for files, and no others are read than may be."""
    with overlaid({Path(path): text for path, text in asked.texts.items()}), confined(asked.confinement):
        yield


def _failure(asked: Request, error: FairleadError) -> dict[str, Any]:
    if asked.kind is JobKind.ADVISE:
        advice = {"model": asked.path, "advice": [], "errors": _problems(error)}
        return {"schema": identifier(Form.ADVISE), **advice}
    return {"schema": identifier(Form.CHECK), **failure_json(asked.path, error)}


def _problems(error: FairleadError) -> list[dict[str, Any]]:
    return [problem.to_json() for problem in error.diagnostics]


def _shown(asked: Request, answer: Shown | None) -> dict[str, Any]:
    """An answer as text and as a part of a page, if that is wanted."""
    if not asked.shown or answer is None:
        return {}
    from fairlead.present.html.notebook import contents_of

    contents = contents_of(answer)
    shown = {"text": _text(answer), "html": str(contents.markup), "files": list(contents.files)}
    return {"shown": {**shown, "steps": _steps(answer)}}


def _steps(answer: Shown) -> list[dict[str, Any]]:
    """The steps of the run of a result, with their places; in the middle of a long one some are left out."""
    if not isinstance(answer, Result) or answer.evidence is None:
        return []
    from fairlead.present.html.timeline import timeline_of

    evidence = answer.evidence
    timeline = timeline_of(evidence.system, evidence.run, evidence.offset)
    return [
        {
            "number": row.number,
            "event": row.view.label,
            "processes": row.view.who,
            "in_loop": row.number > timeline.offset + timeline.stem_length,
            "places": [_place(span) for span in row.places],
        }
        for row in timeline.shown()
        if row.view is not None
    ]


def _place(span: Span) -> dict[str, Any]:
    line, column = span.end_position
    return {**span.to_json(), "end_line": line, "end_column": column}


def _text(answer: Shown) -> str:
    from fairlead.simulation.text import state_lines
    from fairlead.simulation.value import Simulation

    return "\n".join(state_lines(answer)) if isinstance(answer, Simulation) else str(answer)


class _Reporter:
    """Hears how far a check is, and tells it now and then."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._phase: Phase | None = None
        self._told = 0.0

    def __call__(self, progress: Progress) -> None:
        """Hears how far it is."""
        now = time.monotonic()
        if progress.phase is self._phase and now - self._told < _EVERY:
            return
        self._phase, self._told = progress.phase, now
        self._tell({"event": "progress", **vars(progress), "phase": progress.phase.value})


def _loaded(asked: Request, tell: Tell) -> Model:
    _Reporter(tell)(Progress(Phase.READING, 0, 0, 0, 0.0))
    language = asked.file.suffix.lower().removeprefix(".")
    return load_named(asked.text, asked.path, language, asked.definitions, asked.python, None, asked.limits)


def _questions(model: Model, asked: Request) -> Iterator[Assertion]:
    if asked.places:
        found = [question for question in model.assertions if _stands_in(question, asked)]
        if not found:
            raise input_error(Code.USAGE, "the model does not ask anything there")
        yield from found
    elif asked.questions:
        yield from (model.asked(question) for question in asked.questions)
    else:
        yield from model.asked_of(asked.process) if asked.process else model.assertions


def _stands_in(question: Assertion, asked: Request) -> bool:
    span = question.span
    return span is not None and any(
        span.source.name == path and at.start <= span.start < at.end for path, at in asked.places
    )


# ---------------------------------------------------------------- the kinds of jobs

#: the record, and the answer if it is one value
_Found = tuple[dict[str, Any], "Shown | None"]


def _check(asked: Request, tell: Tell) -> _Found:
    clock = Clock(asked.limits)
    model = _loaded(asked, tell)
    notions = None if asked.fairness is None else parse_fairness(asked.fairness)
    results: list[dict[str, Any]] = []
    errors: list[tuple[Assertion, FairleadError]] = []
    for question in _questions(model, asked):
        try:
            for notion in model.notions_for(question, notions, asked.fair):
                options = CheckOptions(limits=clock.left, fair=asked.fair)
                found = model.check(question, notion, options=options, reporter=_Reporter(tell))
                assert isinstance(found, Result)
                results.append(found.to_json())
                tell({"event": "result", "result": results[-1], **_shown(asked, found)})
        except (InputError, LimitReached) as error:
            errors.append((question, error))
    return {"schema": identifier(Form.CHECK), **answers_json(model, results, errors, None)}, None


def _advise(asked: Request, tell: Tell) -> _Found:
    clock = Clock(asked.limits)
    model = _loaded(asked, tell)
    found = []
    for question in _questions(model, asked):
        one = model.advise(question, fair=asked.fair, limits=clock.left, reporter=_Reporter(tell))
        found.append(one)
        tell({"event": "result", "result": one.to_json(), **_shown(asked, one)})
    advice = [one.to_json() for one in found]
    record = {"schema": identifier(Form.ADVISE), "model": asked.path, "advice": advice}
    return record, found[0] if len(found) == 1 else None


def _coverage(asked: Request, tell: Tell) -> _Found:
    model = _loaded(asked, tell)
    found = model.coverage(asked.process, limits=asked.limits, reporter=_Reporter(tell))
    return {"schema": identifier(Form.CHECK), **answers_json(model, (), (), found)}, found


def _graph(asked: Request, tell: Tell) -> _Found:
    from fairlead.lang.explicit.write import to_json

    model = _loaded(asked, tell)
    found = model.graph(asked.process, values=asked.values, limits=asked.limits, reporter=_Reporter(tell))
    record: dict[str, Any] = json.loads(to_json(found))
    return record, found


def _simulate(asked: Request, tell: Tell) -> _Found:
    from fairlead.simulation.records import state_record, step_records, why_record
    from fairlead.simulation.value import why

    simulation = _begun(asked, tell)
    with within(asked.limits, Phase.STEPPING):
        for line in asked.commands:
            simulation = _moved(simulation, line)
        steps = step_records(simulation)
        record = {"schema": identifier(Form.SIMULATE), **state_record(simulation), "steps": steps}
        if asked.why is not None:
            record["why"] = why_record(simulation, asked.why)
            record["why_lines"] = list(why(simulation, asked.why).lines())
        return record, simulation


def _diagnose(asked: Request, tell: Tell) -> _Found:
    from fairlead.lang.registry import load_text
    from fairlead.service.diagnostics import problems_of, reducing_tools

    python = [Path(file) for file in asked.python]

    def load() -> LoadedModel:
        suffix = asked.file.suffix.lower()
        return load_text(asked.text, asked.path, suffix, asked.definitions, python, reducing_tools)

    found = problems_of(load, asked.limits)
    return {"problems": [{**problem.to_json(), "text": problem.render()} for problem in found]}, None


_WORK: dict[JobKind, Callable[[Request, Tell], _Found]] = {
    JobKind.CHECK: _check,
    JobKind.ADVISE: _advise,
    JobKind.COVERAGE: _coverage,
    JobKind.GRAPH: _graph,
    JobKind.SIMULATE: _simulate,
    JobKind.PROBLEMS: _diagnose,
}


# ---------------------------------------------------------------- sessions


def _begun(asked: Request, tell: Tell) -> Simulation:
    from fairlead.api.simulating import replay, simulate

    model = _loaded(asked, tell)
    with within(asked.limits, Phase.STEPPING):
        if asked.replay is not None:
            return replay(model, asked.replay)
        return simulate(model, asked.process)


def _moved(simulation: Simulation, line: str) -> Simulation:
    from fairlead.simulation.commands import parse_command, perform

    command = parse_command(line, simulation)
    return simulation if command is None else perform(simulation, command)


def session(asked: Request, commands: Iterator[str], tell: Tell) -> None:
    """Tells the state that a session begins in, and then, for each command, the one that it leads to.

    The limits hold for each command. A command that cannot be executed is reported, and changes nothing.
    """
    with _texts(asked):
        simulation = _try(lambda: _begun(asked, tell), tell)
    if simulation is None:
        return
    _tell_state(asked, simulation, 0, tell)
    for line in commands:
        moved = _try(partial(_answer, asked, simulation, line.strip(), tell), tell)
        simulation = moved or simulation


def _answer(asked: Request, simulation: Simulation, line: str, tell: Tell) -> Simulation:
    from fairlead.simulation.commands import Word, parse_command, perform
    from fairlead.simulation.records import why_record

    with within(asked.limits, Phase.STEPPING):
        command = parse_command(line, simulation)
        if command is not None and command.word is Word.WHY:
            tell({"event": "why", "record": why_record(simulation, command.text)})
            return simulation
        moved = simulation if command is None else perform(simulation, command)
        _tell_state(asked, moved, _kept(simulation, moved), tell)
        return moved


def _kept(before: Simulation, after: Simulation) -> int:
    """How many steps from the start on both have in common."""
    pairs = zip(before.path, after.path, strict=False)
    if before.start != after.start:
        return 0
    least = min(len(before.path), len(after.path))
    return next((number for number, (one, other) in enumerate(pairs) if one != other), least)


def _tell_state(asked: Request, simulation: Simulation, kept: int, tell: Tell) -> None:
    from fairlead.simulation.records import state_record, step_records

    record = {**state_record(simulation), "kept": kept, "steps": step_records(simulation, kept)}
    tell({"event": "state", "record": record, **_shown(asked, simulation)})


def _try(work: Callable[[], Done], tell: Tell) -> Done | None:
    try:
        return work()
    except FairleadError as error:
        tell({"event": "refused", "problems": _problems(error)})
    except Exception as error:
        tell({"event": "failed", "message": f"{type(error).__name__}: {error}"})
    return None
