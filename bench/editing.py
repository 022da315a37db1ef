"""How long an editor waits: the answers to a keystroke in a model of 500 lines, and its diagnostics.

    python -m bench.editing [--lines 500] [--keystrokes 200]

The model is made of the examples of a language, with names of their own, repeated until it is long enough. A
keystroke puts a character somewhere into the text; then outline, tokens, completion and hover are asked, as
editors do after each, and now and then diagnostics. Nothing is remembered from one text to the next. Times
are those of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from pathlib import Path

from fairlead.service.completion import completion
from fairlead.service.diagnostics import problems
from fairlead.service.documents import Document, Workspace
from fairlead.service.hover import hover
from fairlead.service.outline import outline
from fairlead.service.serving import settle
from fairlead.service.tokens import semantic_tokens

_EXAMPLES = Path(__file__).parents[1] / "examples"
_NAMES = re.compile(
    r"(?m)^(?:#define |var |hvar |counter |channel |const |range |set |property |fluent "
    r"|assert |progress |\|\|)?([A-Za-z_]\w*)(?=[\s(:\[=])"
)
_WORDS = frozenset(("var", "hvar", "channel", "counter", "const", "range", "set", "property", "minimal"))
_TYPED = tuple("abcxPi01 ()[]{};.,->=")


def long_model(suffix: str, lines: int) -> str:
    """A model of so many lines: examples whose names do not meet."""
    found: list[str] = []
    number = 0
    while sum(text.count("\n") for text in found) < lines:
        for path in sorted(_EXAMPLES.rglob(f"*.{suffix}")):
            text = path.read_text(encoding="utf-8")
            if "import" in text or "enum" in text:
                continue
            number += 1
            names = set(_NAMES.findall(text)) - _WORDS
            for name in names:
                text = re.sub(rf"\b{name}\b", f"{name}_{number}", text)
            found.append(text if number == 1 else without_questions(text, suffix))
            if sum(one.count("\n") for one in found) >= lines:
                break
    return "".join(found)


def without_questions(text: str, suffix: str) -> str:
    """An FSP model without its composite processes and questions: each question is about every composite."""
    if suffix != "lts":
        return text
    workspace = Workspace()
    analysis = workspace.analysis(workspace.open(Path("part.lts"), text))
    assert analysis is not None
    kept = [
        text[part.start : part.end]
        for part in analysis.parts
        if not re.match(
            r"(?:(?:minimal|deterministic|compose|property)\s+)*\|\||progress|assert|fluent",
            text[part.start :],
        )
    ]
    return "\n".join(kept) + "\n"


def keystroke(workspace: Workspace, document: Document, offset: int) -> None:
    """What an editor asks after a keystroke."""
    analysis = workspace.analysis(document)
    assert analysis is not None
    outline(analysis)
    semantic_tokens(analysis)
    completion(workspace, document, offset)
    hover(workspace, document, offset)


def measured(suffix: str, lines: int, keystrokes: int) -> tuple[list[float], list[float]]:
    """The times of keystrokes and of diagnostics, in milliseconds."""
    chance = random.Random(1)
    text = long_model(suffix, lines)
    workspace = Workspace()
    path = Path(f"long.{suffix}")
    typing: list[float] = []
    checking: list[float] = []
    problems(workspace, workspace.open(path, text))  # modules are loaded once
    settle()
    for number in range(keystrokes):
        offset = chance.randrange(len(text))
        edited = text[:offset] + chance.choice(_TYPED) + text[offset:]
        if number % 2:
            edited = text[:offset] + "\n" * (number // 2 + 1) + text[offset:]  # mostly still a model
        started = time.process_time()
        document = workspace.open(path, edited)
        keystroke(workspace, document, offset + 1)
        typing.append((time.process_time() - started) * 1000)
        if number % 10 < 2:
            started = time.process_time()
            problems(workspace, document)
            checking.append((time.process_time() - started) * 1000)
    return typing, checking


def main() -> None:
    """Measures both languages and writes a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--keystrokes", type=int, default=200)
    given = parser.parse_args()
    print("| language | lines | keystroke: median | 95 % | slowest | diagnostics: median | slowest |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for suffix, language in (("csp", "CSP#"), ("lts", "FSP")):
        typing, checking = measured(suffix, given.lines, given.keystrokes)
        high = statistics.quantiles(typing, n=20)[-1]
        count = long_model(suffix, given.lines).count("\n")
        figures = (statistics.median(typing), high, max(typing), statistics.median(checking), max(checking))
        print(f"| {language} | {count} | " + " | ".join(f"{figure:.0f} ms" for figure in figures) + " |")


if __name__ == "__main__":
    main()
