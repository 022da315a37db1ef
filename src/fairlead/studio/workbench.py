"""What all pages of a studio share: texts that are being written, verdicts, jobs and simulations."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fairlead.base.diagnostics import FairleadError
from fairlead.logic.fairness.notions import parse_fairness
from fairlead.outcome.limits import Limits
from fairlead.service.documents import Document, Workspace
from fairlead.service.jobs import Outcome, ResultEvent, View
from fairlead.service.requests import DEFAULT_LIMITS, JobKind, Request, request
from fairlead.service.verdicts import (
    Advised,
    Answers,
    Asked,
    Verdict,
    Verdicts,
    asked,
    basis_of_all,
    subject_of,
)
from fairlead.studio.board import MOST_WAITING, Board, Order, Ticket
from fairlead.studio.folder import Folder, Refused, checked_text, no_model, version_of
from fairlead.studio.memory import Memory
from fairlead.studio.sweeping import chart_of, values_of

Json = dict[str, Any]
_IMPORT = re.compile(r'#\s*import\s+"([^"\n]*)"')
_TITLES = {
    JobKind.CHECK: "check",
    JobKind.ADVISE: "advise",
    JobKind.COVERAGE: "coverage",
    JobKind.GRAPH: "graph",
}
#: no text that a page gives is longer, those of models apart
_LONGEST_TEXT = 10_000


class Workbench:
    """The state of one studio; to be used in the thread of an event loop."""

    def __init__(
        self,
        folder: Folder,
        memory: Memory,
        tell: Callable[[Json], None],
        python: Sequence[Path] = (),
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.folder, self.memory, self.limits = folder, memory, limits
        self.python = tuple(python)
        self._tell = tell
        self.workspace = Workspace()
        self.board = Board(memory, tell)
        self._verdicts = Verdicts()
        for draft in memory.drafts():
            with suppress(Refused):
                self.workspace.open(folder.path(draft.get("name")), draft["text"])

    # ------------------------------------------------------------ texts

    def files(self) -> list[Json]:
        """The models of the folder, and those that are not saved yet."""
        drafts = {self.folder.name(one.path) for one in self.workspace.documents}
        names = dict.fromkeys([*self.folder.names(), *sorted(drafts)])
        return [{"name": name, "draft": name in drafts} for name in names]

    def text(self, name: object) -> Json:
        """The text of a model on disk, and as it was last edited."""
        path = self.folder.path(name)
        found: Json = {"name": name, "uri": path.as_uri(), "text": None, "version": None, "draft": None}
        if path.is_file():
            saved = self.folder.read(name)
            found |= {"text": saved.text, "version": saved.version}
        draft = self.memory.draft(str(name))
        if draft is not None and draft["text"] != found["text"]:
            found |= {"draft": draft["text"], "base": draft.get("base")}
        if found["text"] is None and found["draft"] is None:
            raise no_model(name)
        return found

    def edit(self, name: object, text: object, base: object) -> Json:
        """Takes a text in the place of that on disk, without saving it; None gives up what was edited."""
        path = self.folder.path(name)
        if text is None:
            self.workspace.close(path)
            self.memory.drop_draft(str(name))
        else:
            on_disk = None if base is None else str(base)
            document = self.workspace.open(path, checked_text(text))
            if version_of(document.text) == on_disk:
                self.workspace.close(path)
                self.memory.drop_draft(str(name))
            else:
                self.memory.keep_draft(str(name), document.text, on_disk)
        return self.questions(name) if text is not None or path.is_file() else {"questions": [], "others": []}

    def save(self, name: object, text: object, version: object) -> Json:
        """Writes a text to disk."""
        saved = self.folder.write(name, text, version)
        self.workspace.close(self.folder.path(name))
        self.memory.drop_draft(str(name))
        return {"version": saved.version}

    def document(self, name: object) -> Document:
        """A model as it is edited."""
        path = self.folder.path(name)
        found = self.workspace.document(path)
        if found is None:
            raise no_model(name)
        return found

    # ------------------------------------------------------------ questions

    def questions(self, name: object) -> Json:
        """What a model asks, with the last verdicts."""
        document = self.document(name)
        found = []
        for number, one in enumerate(asked(self.workspace, document)):
            start = document.lines.position(one.question.at.start)
            advised = self._advice(one.basis)
            found.append(
                {
                    "number": number,
                    "text": one.question.text,
                    "line": start.line,
                    "hasFormula": one.question.has_formula,
                    "verdicts": [self._verdict_json(one.basis, verdict) for verdict in self._of(one.basis)],
                    "advice": None if advised is None else {**advised.record, "title": advised.title},
                }
            )
        others = basis_of_all(self.workspace, document)
        return {"questions": found, "others": [self._verdict_json(others, one) for one in self._of(others)]}

    def _verdict_json(self, basis: str, verdict: Verdict) -> Json:
        result = {name: value for name, value in verdict.result.items() if name != "evidence"}
        return {"basis": basis, "hasRun": verdict.has_run, "result": result}

    def _of(self, basis: str) -> Sequence[Verdict]:
        self._recall(basis)
        return self._verdicts.of(basis)

    def _advice(self, basis: str) -> Advised | None:
        self._recall(basis)
        return self._verdicts.advice(basis)

    def _recall(self, basis: str) -> None:
        """Takes what was remembered of a question since the last run of the studio."""
        if self._verdicts.of(basis) or self._verdicts.advice(basis) is not None:
            return
        verdicts, advised = self.memory.verdicts(basis)
        for verdict in verdicts:
            self._verdicts.keep(basis, verdict)
        if advised is not None:
            self._verdicts.note_advice(basis, advised)

    def _remember(self, basis: str) -> None:
        self.memory.keep_verdicts(basis, tuple(self._of(basis)), self._advice(basis))

    def verdict(self, basis: object, fairness: object, assertion: object, fair: object = None) -> Verdict:
        """One verdict, with its run."""
        if not isinstance(basis, str):
            raise Refused("expected the basis of a verdict")
        for one in self._of(basis):
            if one.name == (assertion, fairness, fair or ""):
                return one
        raise Refused("there is no such verdict; check the assertion first", 404)

    # ------------------------------------------------------------ jobs

    def post(self, given: Mapping[str, Any]) -> Ticket:
        """Begins a job; a wrong request is refused before."""
        try:
            kind = JobKind(str(given.get("kind")))
        except ValueError:
            raise Refused("there is no such kind of job") from None
        if kind not in _TITLES:
            raise Refused("this is not a kind of job")
        if self.board.waiting >= MOST_WAITING:
            raise Refused("too many jobs are waiting; cancel some", 429)
        document = self.document(given.get("name"))
        subject = subject_of(self.workspace, document)
        questions = self._chosen(document, given.get("question"), given.get("text"))
        about = self._about(given, kind, document, questions)
        if given.get("sweep") is not None:
            return self.board.post(self._sweep(given, subject, questions, about))
        one = self._request(given, subject, kind, questions)
        answers = Answers(self.workspace, subject)

        def heard(event: ResultEvent) -> None:
            if kind is not JobKind.CHECK:
                return
            basis = answers.basis(event.result)
            self._of(basis)
            self._verdicts.note(answers, event)
            self._remember(basis)
            self._tell({"verdicts": about["name"]})

        def finish(outcomes: list[Outcome]) -> Json:
            return self._finished(kind, outcomes[-1], questions, about)

        return self.board.post(Order(about, (one,), heard, finish))

    def _chosen(self, document: Document, number: object, text: object) -> tuple[Asked, ...]:
        """The question that is meant, or none if all are."""
        if number is None:
            return ()
        found = asked(self.workspace, document)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(found):
            raise Refused("there is no such assertion any more", 409)
        if isinstance(text, str) and found[number].question.text != text:
            raise Refused("the assertions have changed meanwhile", 409)
        return (found[number],)

    def _about(
        self, given: Mapping[str, Any], kind: JobKind, document: Document, questions: tuple[Asked, ...]
    ) -> Json:
        what = questions[0].question.text if questions else _text(given, "process")
        return {
            "name": self.folder.name(document.path),
            "kind": "sweep" if given.get("sweep") is not None else kind.value,
            "title": what or document.path.name,
            "question": questions[0].question.text if questions else None,
            "fairness": _text(given, "fairness"),
            "fair": _text(given, "fair"),
            "process": _text(given, "process"),
        }

    def _request(
        self, given: Mapping[str, Any], subject: Document, kind: JobKind, questions: tuple[Asked, ...]
    ) -> Request:
        fairness = _text(given, "fairness")
        if fairness is not None:
            _told(lambda: parse_fairness(fairness))
        picture = given.get("picture")
        replay = given.get("replay")
        return request(
            self.workspace,
            subject,
            kind,
            places=tuple(one.place for one in questions),
            fairness=fairness,
            fair=_text(given, "fair"),
            process=_text(given, "process"),
            replay=self._replayed(replay) if isinstance(replay, Mapping) else None,
            picture=dict(picture) if isinstance(picture, Mapping) else None,
            definitions=_definitions(given.get("definitions")),
            python=self._python_for(subject),
            limits=self._limits(given.get("limits")),
            folder=str(self.folder.root),
            shown=True,
        )

    def _replayed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        found = self.verdict(
            given.get("basis"), given.get("fairness"), given.get("assertion"), given.get("fair")
        )
        return found.result

    def _python_for(self, subject: Document) -> tuple[str, ...]:
        """The Python files that the user has allowed, and that the model wants."""
        documents = (subject, *self.workspace.included(subject))
        wanted = {
            re.split(r"[/\\]", name)[-1].removeprefix("PAT.Lib.").rsplit(".", 1)[0]
            for document in documents
            for name in _IMPORT.findall(document.text)
        }
        return tuple(str(path) for path in self.python if path.stem in wanted)

    def _limits(self, given: object) -> Limits:
        """The limits of a job: those of the studio, or lower ones."""
        if not isinstance(given, Mapping):
            return self.limits
        seconds, states = given.get("timeout"), given.get("states")
        timeout = self.limits.timeout
        if isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0:
            timeout = min(float(seconds), timeout or float(seconds))
        most = self.limits.max_states
        if isinstance(states, int) and not isinstance(states, bool) and states > 0:
            most = min(states, most or states)
        return Limits(max_states=most, max_memory=self.limits.max_memory, timeout=timeout)

    def _finished(self, kind: JobKind, outcome: Outcome, questions: Sequence[Asked], about: Json) -> Json:
        record = outcome.record or {}
        advice: list[Any] = list(record.get("advice", ())) if kind is JobKind.ADVISE else []
        if len(questions) == 1 and len(advice) == 1:
            self._advice(questions[0].basis)
            self._verdicts.note_advice(questions[0].basis, Advised(advice[0], outcome.shown))
            self._remember(questions[0].basis)
        self._tell({"verdicts": about["name"]})
        return {"record": record, "html": None if outcome.shown is None else outcome.shown.html}

    # ------------------------------------------------------------ sweeps

    def _sweep(
        self, given: Mapping[str, Any], subject: Document, questions: tuple[Asked, ...], about: Json
    ) -> Order:
        swept = values_of(given["sweep"])
        constant, values = swept.constant, swept.values
        requests = tuple(
            self._request({**given, "definitions": {constant: value}}, subject, JobKind.CHECK, questions)
            for value in values
        )

        def finish(outcomes: list[Outcome]) -> Json:
            return chart_of(about["title"], constant, values, outcomes)

        return Order(
            {**about, "title": f"{about['title']} by {constant}"}, requests, lambda event: None, finish
        )

    # ------------------------------------------------------------ simulations

    def session(self, given: Mapping[str, Any]) -> Request:
        """The request for a simulation."""
        subject = subject_of(self.workspace, self.document(given.get("name")))
        return self._request({**given, "picture": None}, subject, JobKind.SESSION, ())

    async def close(self) -> None:
        """The studio ends: so do its jobs."""
        self.board.close()
        await asyncio.sleep(0)


def _told(work: Callable[[], object]) -> None:
    try:
        work()
    except FairleadError as error:
        raise Refused(error.diagnostics[0].message) from None


def _text(given: Mapping[str, Any], name: str) -> str | None:
    found = given.get(name)
    if found is None or found == "":
        return None
    if not isinstance(found, str) or len(found) > _LONGEST_TEXT:
        raise Refused(f"{name}: expected a text")
    return found


def _definitions(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping):
        return {}
    return {str(name)[:200]: str(value)[:200] for name, value in list(given.items())[:50]}


def shown_json(view: View | None) -> Json:
    """An answer as people read it."""
    if view is None:
        return {"html": None, "text": "", "steps": []}
    return {"html": view.html, "text": view.text, "steps": list(view.steps), "files": list(view.files)}
