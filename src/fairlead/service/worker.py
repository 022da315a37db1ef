"""The process in which a job runs: reads a request, tells how far it is, and writes the record of the answer.

It ends when its standard input does, so it never outlives the process that started it, however that ended.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

from fairlead.api.loading import load_named
from fairlead.api.model import Model
from fairlead.base.diagnostics import FairleadError, InputError, LimitReached
from fairlead.base.files import overlaid
from fairlead.base.forms import Form, identifier
from fairlead.checker.options import CheckOptions
from fairlead.checker.result import Result
from fairlead.logic.fairness.notions import parse_fairness
from fairlead.model.assertion import Assertion
from fairlead.outcome.events import Phase, Progress
from fairlead.outcome.limits import Clock, within
from fairlead.present.answers_json import answers_json, failure_json
from fairlead.service.requests import JobKind, Request

#: progress within one phase is told at most so often, in seconds
_EVERY = 0.1
Tell = Callable[[dict[str, Any]], None]


def main() -> None:
    """Does the job that standard input asks for."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    sys.stdout = sys.stderr  # nothing else may come between the lines
    asked = Request.of_line(sys.stdin.readline())
    threading.Thread(target=_end_with_input, daemon=True).start()
    work(asked, lambda event: _write(output, event))
    output.close()
    os._exit(0)  # the thread above waits for the input


def _end_with_input() -> None:
    while sys.stdin.read(1 << 16):
        pass
    os._exit(1)


def _write(output: TextIO, event: dict[str, Any]) -> None:
    output.write(json.dumps(event, ensure_ascii=False) + "\n")
    output.flush()


def work(asked: Request, tell: Tell) -> None:
    """Does a job; the last event is its record, or why there is none."""
    try:
        with overlaid({Path(path): text for path, text in asked.texts.items()}):
            record = _WORK[asked.kind](asked, tell)
        tell({"event": "record", "record": record})
    except FairleadError as error:
        problems = [problem.to_json() for problem in error.diagnostics]
        tell({"event": "refused", "record": _failure(asked, error), "problems": problems})
    except Exception as error:  # whatever it is, the one who asked has to hear of it
        tell({"event": "failed", "message": f"{type(error).__name__}: {error}"})


def _failure(asked: Request, error: FairleadError) -> dict[str, Any]:
    if asked.kind is JobKind.ADVISE:
        problems = [problem.to_json() for problem in error.diagnostics]
        return {"schema": identifier(Form.ADVISE), "model": asked.path, "advice": [], "errors": problems}
    return {"schema": identifier(Form.CHECK), **failure_json(asked.path, error)}


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
    return load_named(asked.text, asked.path, language, None, (), None, asked.limits)


def _questions(model: Model, asked: Request) -> Iterator[Assertion]:
    if asked.questions:
        yield from (model.asked(question) for question in asked.questions)
    else:
        yield from model.asked_of(asked.process) if asked.process else model.assertions


# ---------------------------------------------------------------- the kinds of jobs


def _check(asked: Request, tell: Tell) -> dict[str, Any]:
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
                tell({"event": "result", "result": results[-1]})
        except (InputError, LimitReached) as error:
            errors.append((question, error))
    return {"schema": identifier(Form.CHECK), **answers_json(model, results, errors, None)}


def _advise(asked: Request, tell: Tell) -> dict[str, Any]:
    clock = Clock(asked.limits)
    model = _loaded(asked, tell)
    found = [
        model.advise(question, fair=asked.fair, limits=clock.left, reporter=_Reporter(tell)).to_json()
        for question in _questions(model, asked)
    ]
    return {"schema": identifier(Form.ADVISE), "model": asked.path, "advice": found}


def _coverage(asked: Request, tell: Tell) -> dict[str, Any]:
    model = _loaded(asked, tell)
    found = model.coverage(asked.process, limits=asked.limits, reporter=_Reporter(tell))
    return {"schema": identifier(Form.CHECK), **answers_json(model, (), (), found)}


def _graph(asked: Request, tell: Tell) -> dict[str, Any]:
    from fairlead.lang.explicit.write import to_json

    model = _loaded(asked, tell)
    found = model.graph(asked.process, values=asked.values, limits=asked.limits, reporter=_Reporter(tell))
    record: dict[str, Any] = json.loads(to_json(found))
    return record


def _simulate(asked: Request, tell: Tell) -> dict[str, Any]:
    from fairlead.api.simulating import simulate
    from fairlead.simulation.commands import parse_command, perform
    from fairlead.simulation.records import state_record, step_records

    model = _loaded(asked, tell)
    with within(asked.limits, Phase.STEPPING):
        simulation = simulate(model, asked.process)
        for line in asked.commands:
            command = parse_command(line, simulation)
            if command is not None:
                simulation = perform(simulation, command)
        steps = step_records(simulation)
        return {"schema": identifier(Form.SIMULATE), **state_record(simulation), "steps": steps}


_WORK: dict[JobKind, Callable[[Request, Tell], dict[str, Any]]] = {
    JobKind.CHECK: _check,
    JobKind.ADVISE: _advise,
    JobKind.COVERAGE: _coverage,
    JobKind.GRAPH: _graph,
    JobKind.SIMULATE: _simulate,
}
