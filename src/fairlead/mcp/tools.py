"""The tools that answer by jobs: check, advise, diagnose, simulate. Each job is a process of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from fairlead.base.records import dataclass
from fairlead.mcp import schemas
from fairlead.mcp.answers import Answer
from fairlead.mcp.permissions import Permissions
from fairlead.service.jobs import Event, Outcome, ResultEvent, Status
from fairlead.service.requests import JobKind, Request

Arguments = Mapping[str, Any]
#: does a job; what it tells is passed on
Do = Callable[[Request, Callable[[Event], None]], Awaitable[Outcome]]


class Desk(NamedTuple):
    """What a tool works with: what is allowed, and who does jobs."""

    permissions: Permissions
    do: Do


@dataclass(frozen=True)
class Tool:
    """A tool: what it is for, what it takes, and how it answers."""

    name: str
    title: str
    description: str
    schema: Mapping[str, Any]
    answer: Callable[[Desk, Arguments], Awaitable[Answer]]


async def check(desk: Desk, given: Arguments) -> Answer:
    """Answers questions about a model."""
    asked = desk.permissions.request(
        JobKind.CHECK,
        given,
        questions=tuple(given.get("assertions", ())),
        fairness=given.get("fairness"),
        fair=given.get("fair"),
        process=given.get("process"),
        shown=True,
    )
    return _of(await _heard(desk, asked), with_evidence=given.get("evidence", False))


async def advise(desk: Desk, given: Arguments) -> Answer:
    """Finds out which fairness questions need."""
    questions = tuple(given.get("assertions", ()))
    asked = desk.permissions.request(
        JobKind.ADVISE, given, questions=questions, fair=given.get("fair"), shown=True
    )
    return _of(await _heard(desk, asked))


async def diagnose(desk: Desk, given: Arguments) -> Answer:
    """Finds what is wrong with a text."""
    outcome, _ = await _heard(desk, desk.permissions.request(JobKind.PROBLEMS, given))
    if outcome.record is None or outcome.status is not Status.DONE:
        return _without(outcome)
    problems = outcome.record["problems"]
    text = "\n\n".join(problem["text"] for problem in problems)
    plain = [{name: value for name, value in one.items() if name != "text"} for one in problems]
    return Answer(text or "No problems.", {"problems": plain})


async def simulate(desk: Desk, given: Arguments) -> Answer:
    """Takes steps."""
    asked = desk.permissions.request(
        JobKind.SIMULATE,
        given,
        process=given.get("process"),
        commands=tuple(given.get("commands", ())),
        why=given.get("why"),
        shown=True,
    )
    outcome, _ = await _heard(desk, asked)
    if outcome.record is None or outcome.status is not Status.DONE:
        return _without(outcome)
    record = dict(outcome.record)
    parts = ["" if outcome.shown is None else outcome.shown.text]
    if "why" in record:
        parts.append("\n".join(record.pop("why_lines")))
    if not given.get("trace", False):
        del record["steps"]
    return Answer("\n\n".join(parts), record)


# ---------------------------------------------------------------- jobs

_Found = tuple[Outcome, list[ResultEvent]]


async def _heard(desk: Desk, asked: Request) -> _Found:
    """The end of a job, and its answers."""
    results: list[ResultEvent] = []

    def hear(event: Event) -> None:
        if isinstance(event, ResultEvent):
            results.append(event)

    return await desk.do(asked, hear), results


def _of(found: _Found, *, with_evidence: bool = False) -> Answer:
    """The answers of a job: each in words, and the record that the command of its name writes."""
    outcome, results = found
    texts = [one.shown.text for one in results if one.shown is not None]
    if outcome.record is None:
        return _without(outcome)
    record = dict(outcome.record)
    if not with_evidence and "results" in record:
        record["results"] = [
            {name: value for name, value in one.items() if name not in ("evidence", "further")}
            for one in record["results"]
        ]
    errors = record.get("errors", ())
    texts += [_complaint(problem) for problem in errors]
    is_error = outcome.status is not Status.DONE or (bool(errors) and not results)
    return Answer("\n\n".join(texts) or outcome.message, record, is_error)


def _complaint(problem: Mapping[str, Any]) -> str:
    """A problem with its place and its hint."""
    place = f"{problem['file']}:{problem['line']}:{problem['column']}: " if "file" in problem else ""
    hint = f"\n  hint: {problem['hint']}" if problem.get("hint") else ""
    return f"{place}error[{problem['code']}]: {problem['message']}{hint}"


def _without(outcome: Outcome) -> Answer:
    """There is no answer but what is wrong."""
    errors = (outcome.record or {}).get("errors", ())
    text = "\n\n".join(_complaint(problem) for problem in errors)
    return Answer(text or outcome.message or outcome.status.value, is_error=True)


_ABOUT_EVIDENCE = {
    "type": "boolean",
    "description": "Whether the record has the runs, step by step; the text has them anyway.",
}
TOOLS = (
    Tool(
        "check",
        "Check a model",
        "Model check a concurrent system against deadlock, safety, LTL, CTL or refinement assertions, under "
        "a notion of fairness. Answers a verdict for each assertion (holds, violated, unknown) with a run "
        "that shows a violation, validated by other code. 'unknown' means that a limit was reached.",
        schemas.of_object(
            {
                **schemas.MODEL,
                "assertions": schemas.ASSERTIONS,
                "fairness": schemas.FAIRNESS,
                "fair": schemas.FAIR,
                "process": schemas.PROCESS,
                "evidence": _ABOUT_EVIDENCE,
                **schemas.LIMITS,
            }
        ),
        check,
    ),
    Tool(
        "advise",
        "Advise on fairness",
        "Find out which fairness assumptions an assertion with a temporal formula needs to hold: the weakest "
        "sets of them, each as a fairness formula that 'check' takes as 'fair', or why none is enough.",
        schemas.of_object(
            {
                **schemas.MODEL,
                "assertions": schemas.ASSERTIONS,
                "fair": schemas.FAIR,
                **schemas.LIMITS,
            }
        ),
        advise,
    ),
    Tool(
        "diagnose",
        "Find problems in a model",
        "List all errors and warnings of a model with their places, without exploring it. Each has a code "
        "that 'explain' explains, and perhaps a hint. Use it after each change of a model.",
        schemas.of_object({**schemas.MODEL, **schemas.LIMITS}),
        diagnose,
    ),
    Tool(
        "simulate",
        "Step through a process",
        "Take steps from the initial state of a process and see the state: variables, where each process is, "
        "and the enabled events with their numbers. Commands are taken in their order: the number or name "
        "of an enabled event, 'back', 'back 3', 'random 10', 'goto 4', 'start 2' (another initial state). "
        "Nothing is kept from call to call: give all commands from the start.",
        schemas.of_object(
            {
                **schemas.MODEL,
                "process": schemas.PROCESS,
                "commands": {"type": "array", "items": {"type": "string"}, "maxItems": 10_000},
                "why": {"type": "string", "description": "An event; the answer says why it is not enabled."},
                "trace": {"type": "boolean", "description": "Whether the record has the steps taken."},
                **schemas.LIMITS,
            }
        ),
        simulate,
    ),
)
