"""Shows verdicts next to the questions, with actions: lenses, hints, code actions, diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from fairlead.lang.editing import Extent
from fairlead.lsp.session import INLAY_HINTS, Feature, Features, Session
from fairlead.lsp.settings import Display
from fairlead.lsp.values import SOURCE, description_of_verdict, position, range_of
from fairlead.service.documents import Document
from fairlead.service.verdicts import Asked, Verdict, asked, basis_of_all

CHECK = "fairlead.check"
CHECK_UNDER = "fairlead.checkUnder"
ADVISE = "fairlead.advise"
SHOW = "fairlead.showRun"
SHOW_ADVICE = "fairlead.showAdvice"
CANCEL = "fairlead.cancel"

_SIGNS = {"holds": "✓", "violated": "✗", "unknown": "?", "error": "!"}
_SEVERITIES = {
    "violated": types.DiagnosticSeverity.Information,
    "unknown": types.DiagnosticSeverity.Information,
    "error": types.DiagnosticSeverity.Warning,
}
#: so many verdicts are shown at one question
_MOST = 8


def title(verdict: Verdict, among: Sequence[Verdict]) -> str:
    """A verdict in a few words, with its subject where there are several."""
    result = verdict.result
    about = "" if len({one.result["process"] for one in among}) < 2 else f"{result['process']}: "
    parts = [f"{about}{_SIGNS[verdict.verdict]} {verdict.verdict}"]
    if "optimum" in result and result["optimum"] is not None:
        parts.append(f"= {result['optimum']}")
    if result.get("vacuous"):
        parts.append("trivially")
    notions = [result["fairness"], *result.get("also_under", ())]
    alike = sum(one.result["assertion"] == result["assertion"] for one in among)
    assumed = [notion for notion in notions if notion != "none" or alike > 1]
    fair = result.get("fair")
    if assumed or fair:
        parts.append(f"under {', '.join([*assumed, *([fair] if fair else [])])}")
    if verdict.verdict == "unknown" and result.get("reason"):
        parts.append(f"({result['reason']})")
    return " ".join(parts)


# ---------------------------------------------------------------- lenses


def lenses(session: Session, params: types.CodeLensParams) -> list[types.CodeLens]:
    """What can be asked, and the last verdicts, at each question; at the top, about all of the model."""
    if Display.LENSES not in session.displays:
        return []
    uri = params.text_document.uri
    document = session.document(uri)
    questions = asked(session.workspace, document)
    found = list(_at_top(session, document, uri, len(questions)))
    for one in questions:
        found += _at_question(session, document, uri, one)
    return found


def _at_top(session: Session, document: Document, uri: str, count: int) -> Iterator[types.CodeLens]:
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    verdicts = session.verdicts.of(basis_of_all(session.workspace, document))
    if count > 1 or document.suffix == ".lts":
        yield _lens(start, "check all", CHECK, {"textDocument": {"uri": uri}})
    yield from _verdict_lenses(start, {"textDocument": {"uri": uri}}, verdicts)


def _at_question(session: Session, document: Document, uri: str, one: Asked) -> Iterator[types.CodeLens]:
    part = range_of(document, one.question.at)
    about = {"textDocument": {"uri": uri}, "range": json_range(part)}
    if session.work.under_way[one.basis]:
        yield _lens(part, "checking … (cancel)", CANCEL, about)
    else:
        yield _lens(part, "check", CHECK, about)
        if one.question.has_formula:
            yield _lens(part, "check under …", CHECK_UNDER, about)
    verdicts = session.verdicts.of(one.basis)
    yield from _verdict_lenses(part, about, verdicts)
    if one.question.has_formula:
        yield from _advice_lenses(session, part, about, one.basis)
    if any(verdict.has_run for verdict in verdicts):
        yield _lens(part, "show run", SHOW, about)


def _verdict_lenses(
    part: types.Range, about: dict[str, Any], verdicts: Sequence[Verdict]
) -> Iterator[types.CodeLens]:
    for verdict in verdicts[-_MOST:]:
        assertion, fairness, fair = verdict.name
        chosen = {"assertion": assertion, "fairness": fairness, **({"fair": fair} if fair else {})}
        yield _lens(part, title(verdict, verdicts), SHOW, {**about, **chosen})


def _advice_lenses(
    session: Session, part: types.Range, about: dict[str, Any], basis: str
) -> Iterator[types.CodeLens]:
    """The action that asks for advice; once it is there, a check under the assumptions it names."""
    advised = session.verdicts.advice(basis)
    if advised is None:
        yield _lens(part, "advise", ADVISE, about)
        return
    yield _lens(part, advised.title, SHOW_ADVICE, about)
    for formula in advised.formulas[:1]:
        yield _lens(part, f"check under {formula}", CHECK, {**about, "fair": formula})


def _lens(part: types.Range, shown: str, command: str, argument: dict[str, Any]) -> types.CodeLens:
    return types.CodeLens(part, types.Command(shown, command, arguments=[argument]))


def json_range(part: types.Range) -> dict[str, Any]:
    """A range for JSON."""
    return {
        name: {"line": place.line, "character": place.character}
        for name, place in (("start", part.start), ("end", part.end))
    }


# ---------------------------------------------------------------- hints


def hints(session: Session, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The last verdicts behind each question, for editors that have hints but no lenses."""
    if Display.HINTS not in session.displays:
        return []
    document = session.document(params.text_document.uri)
    found: list[types.InlayHint] = []
    for one in asked(session.workspace, document):
        end = document.lines.position(_end_of_line(document, one.question.whole))
        if not params.range.start.line <= end.line <= params.range.end.line:
            continue
        verdicts = session.verdicts.of(one.basis)
        words = [title(verdict, verdicts) for verdict in verdicts[-_MOST:]]
        if session.work.under_way[one.basis]:
            words = ["checking …"]
        if words:
            found.append(types.InlayHint(position(end), "  ".join(words), padding_left=True))
    return found


def _end_of_line(document: Document, whole: Extent) -> int:
    """The end of the line on which a question ends."""
    end = document.text.find("\n", max(whole.start, whole.end - 1))
    return len(document.text) if end < 0 else end


# ---------------------------------------------------------------- diagnostics


def verdict_diagnostics(session: Session, path: Path) -> Iterator[types.Diagnostic]:
    """The verdicts that are not what one wishes, for editors that have neither lenses nor hints."""
    document = session.workspace.document(path)
    if document is None or Display.DIAGNOSTICS not in session.displays:
        return
    for one in asked(session.workspace, document):
        for verdict in session.verdicts.of(one.basis):
            severity = _SEVERITIES.get(verdict.verdict)
            if severity is not None:
                said = "" if verdict.shown is None else verdict.shown.text.partition("\n")[0]
                yield types.Diagnostic(
                    range=range_of(document, one.question.whole),
                    message=said or title(verdict, (verdict,)),
                    severity=severity,
                    code=verdict.verdict,
                    code_description=description_of_verdict(verdict.verdict),
                    source=SOURCE,
                )


# ---------------------------------------------------------------- actions


def actions(session: Session, document: Document, uri: str, part: Extent) -> Iterator[types.CodeAction]:
    """What can be asked about the questions in a part of a text, for editors without lenses."""
    for one in asked(session.workspace, document):
        if not (one.question.whole.start <= part.end and part.start <= one.question.whole.end):
            continue
        for lens in _at_question(session, document, uri, one):
            assert lens.command is not None
            shown = f"{lens.command.title}: {_short(one.question.text)}"
            yield types.CodeAction(shown, kind=types.CodeActionKind.Empty, command=lens.command)


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


FEATURES: Features = (
    Feature(types.TEXT_DOCUMENT_CODE_LENS, lenses),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, hints, needs=INLAY_HINTS),
)
