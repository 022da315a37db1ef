"""Executes the commands of a client: checks, advice, coverage, graphs, and showing results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams, JsonRpcRequestCancelled

from fairlead.logic.fairness.notions import Fairness
from fairlead.lsp.lenses import ADVISE, CANCEL, CHECK, CHECK_UNDER, SHOW, SHOW_ADVICE
from fairlead.lsp.orders import Order, order_of
from fairlead.lsp.runs import chosen_verdict, show_page
from fairlead.lsp.session import Feature, Features, Refusal, Session
from fairlead.lsp.settings import limits_of
from fairlead.lsp.work import Token
from fairlead.service.documents import Document
from fairlead.service.jobs import Event, Outcome, ResultEvent, Status, View
from fairlead.service.requests import JobKind, Request, request
from fairlead.service.verdicts import Advised, Answers, asked, basis_of_all

_Given = Any
_Command = Callable[[Session, _Given, Token | None], Awaitable[Any]]


async def executed(session: Session, params: types.ExecuteCommandParams) -> Any:
    """Does what a command says."""
    command = COMMANDS.get(params.command)
    if command is None:
        raise JsonRpcInvalidParams(message=f"there is no command '{params.command}'")
    given = params.arguments[0] if params.arguments else None
    return await command(session, given, params.work_done_token)


# ---------------------------------------------------------------- checks


async def check(session: Session, given: _Given, token: Token | None) -> Any:
    """Answers questions, and keeps the verdicts."""
    return await _check(session, order_of(session, given), token)


async def check_under(session: Session, given: _Given, token: Token | None) -> Any:
    """Asks the user for a notion of fairness, and answers questions under it."""
    order = order_of(session, given)
    notions = [types.MessageActionItem(notion.value) for notion in Fairness]
    params = types.ShowMessageRequestParams(
        types.MessageType.Info, "Under which fairness?", [*notions, types.MessageActionItem("all")]
    )
    chosen = await session.server.window_show_message_request_async(params)
    if chosen is None:
        return None
    return await _check(session, replace(order, fairness=chosen.title), token)


async def _check(session: Session, order: Order, token: Token | None) -> Any:
    questions, subject = order.questions(session), order.subject(session)
    answers = Answers(session.workspace, subject)
    places = tuple(one.place for one in questions)
    every = (one.basis for one in asked(session.workspace, order.document))
    bases = [one.basis for one in questions] or [*every, basis_of_all(session.workspace, subject)]
    verdicts: Counter[str] = Counter()

    def heard(event: Event) -> None:
        if isinstance(event, ResultEvent):
            verdicts[session.verdicts.note(answers, event).verdict] += 1
            session.refresh()

    job = _request(session, order, subject, JobKind.CHECK, places=places, fairness=order.fairness)
    with session.work.answering(bases):
        title = questions[0].question.text if len(questions) == 1 else subject.path.name
        outcome = await _do(session, job, f"check {title}", token, heard, lambda: _counted(verdicts))
    return _told(session, outcome)


def _counted(verdicts: Counter[str]) -> str:
    return ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())


def _request(session: Session, order: Order, subject: Document, kind: JobKind, **given: Any) -> Request:
    limits = limits_of(order.limits, session.settings.limits)
    about: dict[str, Any] = {"fair": order.fair, "process": order.process, "limits": limits, "shown": True}
    return request(session.workspace, subject, kind, **about, **given)


async def _do(
    session: Session,
    job: Request,
    title: str,
    token: Token | None,
    heard: Callable[[Event], None] = lambda event: None,
    summary: Callable[[], str] = lambda: "",
) -> Outcome:
    """Does a job while the client shows how far it is."""
    session.refresh()
    try:
        can_create = session.can("window.work_done_progress")
        with session.work.shown(title, token, can_create) as shower:
            outcome = await session.work.do(job, shower, heard)
            shower.result = summary()
        return outcome
    finally:
        session.refresh()


def _told(session: Session, outcome: Outcome) -> dict[str, Any]:
    """The answer to a command: the record, and how it is shown; the user hears why there is none."""
    match outcome.status:
        case Status.CANCELLED:
            raise JsonRpcRequestCancelled
        case Status.FAILED:
            raise Refusal(outcome.message)
    problems = (outcome.record or {}).get("errors", ())
    if problems:
        messages = dict.fromkeys(problem["message"] for problem in problems)
        session.say(types.MessageType.Error, f"cannot be checked: {'; '.join(messages)}")
    return {"record": outcome.record, "view": view_json(outcome.shown)}


def view_json(view: View | None) -> dict[str, Any] | None:
    """How an answer is shown."""
    return None if view is None else {"text": view.text, "html": view.html, "files": list(view.files)}


# ---------------------------------------------------------------- other work


async def advise(session: Session, given: _Given, token: Token | None) -> Any:
    """Finds out which fairness questions need."""
    order = order_of(session, given)
    questions, subject = order.questions(session), order.subject(session)
    places = tuple(one.place for one in questions)
    job = _request(session, order, subject, JobKind.ADVISE, places=places)
    with session.work.answering(one.basis for one in questions):
        outcome = await _do(session, job, "advise", token)
    found = [] if outcome.record is None else outcome.record["advice"]
    if len(questions) == 1 and len(found) == 1:
        advised = Advised(found[0], outcome.shown)
        session.verdicts.note_advice(questions[0].basis, advised)
        session.refresh()
        session.say(types.MessageType.Info, f"{found[0]['assertion']} {advised.title}")
    return _told(session, outcome)


async def coverage(session: Session, given: _Given, token: Token | None) -> Any:
    """Counts what of a model is executed."""
    order = order_of(session, given)
    job = _request(session, order, order.subject(session), JobKind.COVERAGE)
    return _told(session, await _do(session, job, "coverage", token))


async def graph(session: Session, given: _Given, token: Token | None) -> Any:
    """Finds the reachable states and transitions."""
    order = order_of(session, given)
    job = _request(session, order, order.subject(session), JobKind.GRAPH)
    return _told(session, await _do(session, job, "graph", token))


async def cancel(session: Session, given: _Given, token: Token | None) -> int:
    """Ends all jobs."""
    return session.work.cancel_all()


# ---------------------------------------------------------------- showing


async def show_run(session: Session, given: _Given, token: Token | None) -> None:
    """Shows a verdict with its run: as a page, if the client can open one, or in words."""
    verdict = chosen_verdict(session, given)
    assertion, fairness, _ = verdict.name
    await show_page(session, verdict.shown, f"{assertion} [{fairness}]")


async def show_advice(session: Session, given: _Given, token: Token | None) -> None:
    """Shows what a question needs."""
    for one in order_of(session, given).questions(session):
        advised = session.verdicts.advice(one.basis)
        if advised is not None:
            await show_page(session, advised.shown, one.question.text)


COMMANDS: dict[str, _Command] = {
    CHECK: check,
    CHECK_UNDER: check_under,
    ADVISE: advise,
    "fairlead.coverage": coverage,
    "fairlead.graph": graph,
    CANCEL: cancel,
    SHOW: show_run,
    SHOW_ADVICE: show_advice,
}


def progress_cancelled(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """The client wants no more of a job."""
    session.work.cancel(params.token)


FEATURES: Features = (
    Feature(types.WORKSPACE_EXECUTE_COMMAND, executed),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, progress_cancelled),
)
