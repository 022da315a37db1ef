"""The server of one agent, over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types import Tool as ToolDescription

from fairlead.base.diagnostics import FairleadError
from fairlead.base.version import __version__
from fairlead.mcp import reading, tools
from fairlead.mcp.answers import Answer, refused
from fairlead.mcp.permissions import Permissions
from fairlead.mcp.schemas import complaint
from fairlead.mcp.tools import Desk, Tool
from fairlead.outcome.events import Progress
from fairlead.service.jobs import Event, Outcome, Status, progress_text
from fairlead.service.pool import Pool
from fairlead.service.requests import Request

_INSTRUCTIONS = (
    "fairlead is a model checker for concurrent systems under fairness. Models are written in CSP# (.csp) or "
    "FSP (.lts). Read the page reference/csp or reference/fsp with the tool 'manual', and an example, before "
    "you write a model; 'diagnose' it; then 'check' its assertions. If a liveness property is violated only "
    "because a scheduler is unfair, 'advise' says which fairness is needed."
)
TOOLS: dict[str, Tool] = {tool.name: tool for tool in (*tools.TOOLS, *reading.TOOLS)}
_Context = ServerRequestContext[Any, Any]


def server_of(permissions: Permissions, pool: Pool) -> Server[Any]:
    """A server that allows so much, and does its jobs in a pool."""

    async def list_tools(context: _Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])

    async def call_tool(context: _Context, params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool '{params.name}'")
        given = params.arguments or {}
        problem = complaint(tool.schema, given)
        if problem is not None:
            return Answer(problem, is_error=True).to_result()
        desk = Desk(permissions, partial(_done, context, pool))
        try:
            return (await tool.answer(desk, given)).to_result()
        except FairleadError as error:
            return refused(error).to_result()

    return Server(
        "fairlead",
        version=__version__,
        title="fairlead, a model checker under fairness",
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _described(tool: Tool) -> ToolDescription:
    return ToolDescription(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.schema),
        annotations=ToolAnnotations(
            read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


async def _done(context: _Context, pool: Pool, asked: Request, heard: Callable[[Event], None]) -> Outcome:
    """Does a job and reports how far it is; when the agent cancels the call, the process is ended."""
    events: asyncio.Queue[Event] = asyncio.Queue()

    async def report() -> None:
        number = 0
        while True:
            event = await events.get()
            if isinstance(event, Progress):
                number += 1
                await context.session.report_progress(number, message=progress_text(event))

    def hear(event: Event) -> None:
        heard(event)
        events.put_nowait(event)

    reporting = asyncio.ensure_future(report())
    try:
        return await pool.do(asked, hear)
    except OSError as error:  # there can be no process
        return Outcome(Status.FAILED, None, str(error))
    finally:
        reporting.cancel()


def serve(permissions: Permissions) -> None:
    """Answers the agent that has started this process, until it goes."""
    logging.getLogger("mcp").setLevel(logging.CRITICAL)  # the answers report what goes wrong
    os.chdir(permissions.folder)  # so that messages name files as the agent does
    anyio.run(_serve, permissions)


async def _serve(permissions: Permissions) -> None:
    pool = Pool()
    server = server_of(permissions, pool)
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    finally:
        pool.close()
