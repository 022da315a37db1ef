"""What pages can ask the studio: over HTTP, and over two WebSockets, one of them for the language server."""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from fairlead.base.diagnostics import FairleadError
from fairlead.base.version import __version__
from fairlead.logic.fairness.notions import Fairness
from fairlead.lsp.simulations import Simulations
from fairlead.present.html.page import page_script, page_style
from fairlead.service.hover import explained
from fairlead.service.stepping import Answer, NotDone, State, Why
from fairlead.studio.folder import Folder, Refused
from fairlead.studio.language import converse
from fairlead.studio.live import Live
from fairlead.studio.sharing import shared_page
from fairlead.studio.workbench import Workbench, shown_json

Json = dict[str, Any]
Handler = Callable[["Studio", Request], Awaitable[Response]]
#: no request is longer
_LONGEST = 24 << 20

_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".map": "application/json",
}


class Studio:
    """One studio: its state, and its pages."""

    def __init__(
        self, folder: Folder, make: Callable[[Callable[[Json], None]], Workbench], first: str
    ) -> None:
        self.folder = folder
        self.live = Live(folder)
        self.bench = make(self.live.tell)
        self.simulations = Simulations()
        self.first = first

    def application(self) -> Starlette:
        """The application; who may ask it is not its business."""

        @asynccontextmanager
        async def lifespan(app: Starlette) -> Any:
            watching = asyncio.ensure_future(self.live.watch())
            try:
                yield
            finally:
                watching.cancel()
                self.simulations.close()
                self.live.close()
                await self.bench.close()

        routes = [
            Route("/", partial(_answered, self, page), methods=["GET"]),
            Route("/assets/{name}", partial(_answered, self, asset), methods=["GET"]),
            *(
                Route(path, partial(_answered, self, handler), methods=[method])
                for (method, path), handler in HANDLERS.items()
            ),
            WebSocketRoute("/lsp", self._language),
            WebSocketRoute("/live", self._live),
        ]
        return Starlette(routes=routes, lifespan=lifespan)

    async def _language(self, socket: WebSocket) -> None:
        await converse(socket, self.folder)

    async def _live(self, socket: WebSocket) -> None:
        await self.live.serve(socket, {"jobs": self.bench.board.tickets()})


async def _answered(studio: Studio, handler: Handler, request: Request) -> Response:
    """The answer of a handler; problems are reported as JSON."""
    try:
        return await handler(studio, request)
    except Refused as refused:
        return JSONResponse({"message": refused.message, **refused.details}, refused.status)
    except FairleadError as error:
        return JSONResponse({"message": error.diagnostics[0].message}, 400)
    except (HTTPException, ClientDisconnect):
        raise
    except Exception as error:  # whatever it is, the page has to hear of it, and the studio continues
        print(f"internal error: {type(error).__name__}: {error}", file=sys.stderr)
        return JSONResponse({"message": f"internal error: {type(error).__name__}: {error}"}, 500)


# ---------------------------------------------------------------- the page


def built() -> bool:
    """Whether the page is there: it is made by `make studio`, and is part of the wheel."""
    return files(__package__).joinpath("static", "index.html").is_file()


async def page(studio: Studio, request: Request) -> Response:
    """The page; only what comes from here may run or be loaded in it."""
    nonce = secrets.token_urlsafe(18)
    text = _static("index.html").decode().replace("NONCE", nonce)
    host = request.headers["host"]
    policy = (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
        f"connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return Response(text, media_type="text/html", headers={"content-security-policy": policy})


async def asset(studio: Studio, request: Request) -> Response:
    """A part of the page, or what the pages of runs need."""
    name = request.path_params["name"]
    match name:
        case "run.js":
            return Response(page_script(), media_type="text/javascript")
        case "run-light.css":
            return Response(_shaded("not all"), media_type="text/css")
        case "run-dark.css":
            return Response(_shaded("all"), media_type="text/css")
    suffix = "." + name.rpartition(".")[2]
    if "/" in name or "\\" in name or name.startswith(".") or suffix not in _TYPES:
        raise _no_file()
    return Response(_static(name), media_type=_TYPES[suffix])


def _no_file() -> Refused:
    return Refused("there is no such file", 404)


def _no_job() -> Refused:
    return Refused("there is no such job", 404)


def _shaded(media: str) -> str:
    """The style sheet of runs with the dark colours always, or never: the page has a switch."""
    return page_style().replace("(prefers-color-scheme: dark)", media)


def _static(name: str) -> bytes:
    try:
        return files(__package__).joinpath("static", name).read_bytes()
    except (OSError, ValueError):
        raise _no_file() from None


# ---------------------------------------------------------------- requests


async def _given(request: Request) -> Mapping[str, Any]:
    """The object that a page sends; only JSON, which other pages cannot send unasked."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused("expected JSON", 415)
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > _LONGEST:
            raise Refused("this is too long", 413)
        parts.append(part)
    try:
        found = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise Refused("this is not JSON") from None
    if not isinstance(found, dict):
        raise Refused("expected an object")
    return found


async def session(studio: Studio, request: Request) -> Response:
    """What a page has to know when it begins."""
    limits = studio.bench.limits
    return JSONResponse(
        {
            "version": __version__,
            "folder": studio.folder.root.name or str(studio.folder.root),
            "rootUri": studio.folder.root.as_uri(),
            "first": studio.first,
            "notions": [{"name": one.value, "title": one.title} for one in Fairness],
            "limits": {
                "timeout": limits.timeout,
                "states": limits.max_states,
                "memory": limits.max_memory,
            },
            "python": [path.name for path in studio.bench.python],
        }
    )


async def list_files(studio: Studio, request: Request) -> Response:
    """The models."""
    return JSONResponse({"files": studio.bench.files()})


async def read_file(studio: Studio, request: Request) -> Response:
    """The text of one."""
    return JSONResponse(studio.bench.text(request.query_params.get("name")))


async def save_file(studio: Studio, request: Request) -> Response:
    """Saves one."""
    given = await _given(request)
    found = studio.bench.save(given.get("name"), given.get("text"), given.get("version"))
    studio.live.tell({"files": True})
    return JSONResponse(found)


async def edit_file(studio: Studio, request: Request) -> Response:
    """Takes a text that is not saved; answers what it asks."""
    given = await _given(request)
    return JSONResponse(studio.bench.edit(given.get("name"), given.get("text"), given.get("base")))


async def questions(studio: Studio, request: Request) -> Response:
    """What a model asks, with verdicts."""
    return JSONResponse(studio.bench.questions(request.query_params.get("name")))


async def post_job(studio: Studio, request: Request) -> Response:
    """Begins a job."""
    return JSONResponse(studio.bench.post(await _given(request)).to_json(), 202)


async def jobs(studio: Studio, request: Request) -> Response:
    """All jobs."""
    return JSONResponse({"jobs": studio.bench.board.tickets()})


async def job_answer(studio: Studio, request: Request) -> Response:
    """What a job has found."""
    ticket = studio.bench.board.ticket(request.path_params["job"])
    if ticket is None:
        raise _no_job()
    return JSONResponse({**ticket.to_json(), "answer": ticket.answer})


async def cancel_job(studio: Studio, request: Request) -> Response:
    """Ends a job."""
    if not studio.bench.board.cancel(request.path_params["job"]):
        raise _no_job()
    return JSONResponse({})


async def run(studio: Studio, request: Request) -> Response:
    """A verdict with its run."""
    query = request.query_params
    names = ("basis", "fairness", "assertion", "fair")
    verdict = studio.bench.verdict(*(query.get(name) for name in names))
    return JSONResponse({"result": verdict.result, **shown_json(verdict.shown)})


async def explain(studio: Studio, request: Request) -> Response:
    """What `fairlead explain` says."""
    found = explained(request.query_params.get("name", "")[:100])
    if found is None:
        raise Refused("nothing is known about it", 404)
    return JSONResponse({"markdown": found})


async def share(studio: Studio, request: Request) -> Response:
    """Runs as one page that opens without a server."""
    return Response(shared_page(studio.bench, await _given(request)), media_type="text/html")


# ---------------------------------------------------------------- simulations


async def begin_simulation(studio: Studio, request: Request) -> Response:
    """Begins one."""
    name, answer = await studio.simulations.begin(studio.bench.session(await _given(request)))
    return JSONResponse({"simulation": name, **_simulated(answer)})


async def tell_simulation(studio: Studio, request: Request) -> Response:
    """A command of a simulation, or an object as `service/sessions.py` describes."""
    given = await _given(request)
    command = given.get("command")
    text = command if isinstance(command, str) else json.dumps(command)
    return JSONResponse(_simulated(await studio.simulations.tell(request.path_params["name"], text)))


async def end_simulation(studio: Studio, request: Request) -> Response:
    """Ends one."""
    studio.simulations.end(request.path_params["name"])
    return JSONResponse({})


def _simulated(answer: Answer) -> Json:
    match answer:
        case State(record):
            return {"state": record}
        case Why(record):
            return {"why": record}
        case NotDone(message, problems):
            return {"message": message, "problems": list(problems)}


HANDLERS: Mapping[tuple[str, str], Handler] = {
    ("GET", "/api/session"): session,
    ("GET", "/api/files"): list_files,
    ("GET", "/api/file"): read_file,
    ("PUT", "/api/file"): save_file,
    ("PUT", "/api/draft"): edit_file,
    ("GET", "/api/questions"): questions,
    ("GET", "/api/jobs"): jobs,
    ("POST", "/api/jobs"): post_job,
    ("GET", "/api/jobs/{job}"): job_answer,
    ("DELETE", "/api/jobs/{job}"): cancel_job,
    ("GET", "/api/run"): run,
    ("GET", "/api/explain"): explain,
    ("POST", "/api/share"): share,
    ("POST", "/api/simulations"): begin_simulation,
    ("POST", "/api/simulations/{name}"): tell_simulation,
    ("DELETE", "/api/simulations/{name}"): end_simulation,
}
