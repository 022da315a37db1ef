"""Requests about simulations: begin, tell, end."""

from __future__ import annotations

from typing import Any

from fairlead.lsp.orders import Wrong, mapping, order_of, text
from fairlead.lsp.runs import chosen_verdict, markup
from fairlead.lsp.session import Feature, Features, Session
from fairlead.service.requests import JobKind, request
from fairlead.service.stepping import Answer, NotDone, State, Why


async def begin(session: Session, given: Any) -> dict[str, Any]:
    """Begins a simulation of a process, or one that follows the run of a verdict."""
    order, data = order_of(session, given), mapping(given)
    subject = order.subject(session)
    replay = chosen_verdict(session, data["replay"]).result if "replay" in data else None
    asked = request(
        session.workspace,
        subject,
        JobKind.SESSION,
        process=order.process,
        replay=replay,
        limits=session.settings.limits,
        shown=True,
    )
    documents = (subject, *session.workspace.included(subject))
    texts = tuple((document.path, document.text) for document in documents)
    name, answer = await session.simulations.begin(asked)
    return {"simulation": name, "id": session.shown.add(texts), **_told(answer)}


async def tell(session: Session, given: Any) -> dict[str, Any]:
    """A command of a simulation, as in `fairlead simulate`."""
    data = mapping(given)
    return _told(await session.simulations.tell(_name(data), text(data, "command") or ""))


def end(session: Session, given: Any) -> None:
    """The client needs a simulation no more."""
    session.simulations.end(_name(mapping(given)))


def _name(data: Any) -> str:
    name = text(data, "simulation")
    if name is None:
        raise Wrong("expected simulation: the name of one")
    return name


def _told(answer: Answer) -> dict[str, Any]:
    match answer:
        case State(record, shown):
            return {"state": record, **markup(shown)}
        case Why(record, text):
            return {"why": record, "text": text}
        case NotDone(message, problems):
            return {"message": message, "problems": list(problems)}


FEATURES: Features = (
    Feature("fairlead/simulation/begin", begin),
    Feature("fairlead/simulation/tell", tell),
    Feature("fairlead/simulation/end", end),
)
