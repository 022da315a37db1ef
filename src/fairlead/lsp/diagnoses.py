"""What is wrong with the open documents: found in a thread of its own, while the client continues asking.

A document that other open ones include is examined as a part of these, since alone it may lack what they
declare. A change ends what is under way, and after a short rest the documents that it concerns are examined
again.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

from fairlead.base.diagnostics import Diagnostic, together
from fairlead.service.diagnostics import Superseded, problems
from fairlead.service.documents import Document, Workspace

#: seconds without a change before work begins: who types fast is not interrupted
REST = 0.05
#: the problems of each file, as found from one document
Found = dict[Path, tuple[Diagnostic, ...]]


class Diagnoses:
    """Keeps the problems of the open documents up to date; `tell` hears which files have new ones."""

    def __init__(self, workspace: Callable[[], Workspace], tell: Callable[[set[Path]], None]) -> None:
        self._workspace = workspace
        self._tell = tell
        self._found: dict[Path, Found] = {}
        self._waiting: dict[Path, None] = {}  # in the order in which they are examined
        self._interruption = threading.Event()
        self._changed_at = 0.0
        self._work: asyncio.Task[None] | None = None
        self._listeners: list[asyncio.Future[None]] = []
        self._threads = ThreadPoolExecutor(1, "fairlead problems")

    def known(self, path: Path) -> tuple[Diagnostic, ...]:
        """The problems of a file that have been found."""
        found = [problem for one in self._found.values() for problem in one.get(path, ())]
        return together((), found)

    async def of(self, path: Path) -> tuple[Diagnostic, ...]:
        """The problems of a file as its text is now; waits until they are found."""
        while set(self._roots()) & self._waiting.keys() & self._around(path):
            listener = asyncio.get_running_loop().create_future()
            self._listeners.append(listener)
            await listener
        return self.known(path)

    def changed(self, path: Path | None = None) -> None:
        """A document has another text, or a file on disk (None: any of them, or which documents are open)."""
        self._interruption.set()
        concerned = [document.path for document in self._workspace().documents]
        if path is not None:
            concerned = [root for root in concerned if path in self._covered(root)]
        self._waiting = dict.fromkeys([*concerned, *self._waiting])
        loop = asyncio.get_running_loop()
        self._changed_at = loop.time()
        if self._work is None or self._work.done():
            self._work = loop.create_task(self._run())

    def close(self) -> None:
        """Ends what is under way."""
        self._interruption.set()
        if self._work is not None:
            self._work.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    # ------------------------------------------------------------ which documents

    def _covered(self, root: Path) -> set[Path]:
        """The files that are examined with a document: itself, and what it includes."""
        workspace = self._workspace()
        document = workspace.document(root)
        return {root} if document is None else {root} | {one.path for one in workspace.included(document)}

    def _roots(self) -> list[Path]:
        return [document.path for document in self._workspace().roots()]

    def _around(self, path: Path) -> set[Path]:
        return {root for root in self._roots() if path in self._covered(root)}

    # ------------------------------------------------------------ work

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            while (left := self._changed_at + REST - loop.time()) > 0:
                await asyncio.sleep(left)
            roots = self._roots()
            self._waiting = {path: None for path in self._waiting if path in roots}
            self._forget(roots)
            if self._waiting:
                await self._look_at(next(iter(self._waiting)))
            self._call_listeners()

    def _forget(self, roots: Iterable[Path]) -> None:
        """What was found from documents that are closed, or examined as parts of others now."""
        gone = self._found.keys() - set(roots)
        files = {path for root in gone for path in self._found.pop(root)}
        if files:
            self._tell(files)

    async def _look_at(self, root: Path) -> None:
        workspace = self._workspace().snapshot()
        document = workspace.document(root)
        self._interruption = interruption = threading.Event()
        found: Found | None = {}
        if document is not None:
            work = partial(_found, workspace, document, interruption)
            found = await asyncio.get_running_loop().run_in_executor(self._threads, work)
        if found is None or interruption.is_set():
            return  # the change that has ended it has put the document among those that wait
        self._waiting.pop(root, None)
        before = self._found.get(root, {})
        self._found[root] = found
        self._tell({*before, *found})

    def _call_listeners(self) -> None:
        for listener in self._listeners:
            if not listener.done():
                listener.set_result(None)
        self._listeners.clear()


def _found(workspace: Workspace, document: Document, interruption: threading.Event) -> Found | None:
    """The problems of a document and of what it includes, by file; None if it was interrupted."""
    files: dict[Path, list[Diagnostic]] = {document.path: []}
    with suppress(Superseded):
        for problem in problems(workspace, document, interruption=interruption):
            path = document.path if problem.span is None else Path(problem.span.source.name)
            files.setdefault(path, []).append(problem)
        return {path: tuple(found) for path, found in files.items()}
    return None
