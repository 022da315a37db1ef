"""Documents that are being written: the answers are those to the same text opened afresh, never errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairlead.service.positions import Lines, Units
from tests.support.editing import EXAMPLES, random_edit
from tests.support.lsp.client import CAPABILITIES, Client, ServerError, served

NAMES = [path.name for path in EXAMPLES]
#: problems are asked for, so that they are those of the text as it is
ASKING = {**CAPABILITIES, "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {}}}
AT_A_PLACE = ("hover", "definition", "documentHighlight", "completion", "signatureHelp", "prepareRename")
OF_A_TEXT = ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "diagnostic")


@contextmanager
def two_clients(folder: Path, encoding: str) -> Iterator[tuple[Client, Client]]:
    """Two clients with servers of their own."""
    with served() as one, served() as other:
        for client in (one, other):
            client.initialize(folder, {**ASKING, "general": {"positionEncodings": [encoding]}})
        yield one, other


def answers(client: Client, uri: str, line: int, character: int, methods: tuple[str, ...]) -> list[Any]:
    """What a client is told; a refusal in words."""
    found: list[Any] = []
    place = {"line": line, "character": character}
    for method in methods:
        params = {"textDocument": {"uri": uri}, "position": place}
        try:
            found.append((method, client.request(f"textDocument/{method}", params)))
        except ServerError as error:
            assert error.code == -32803, f"{method}: {error}"  # refused, not failed
            found.append((method, str(error)))
    options = {"textDocument": {"uri": uri}, "options": {"tabSize": 2, "insertSpaces": True}}
    if "diagnostic" in methods:
        found.append(client.request("textDocument/formatting", options))
    return found


def afresh(client: Client, path: Path, text: str) -> str:
    """Opens a text in a server that knows nothing of it."""
    client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    return client.open(path, text)


def edited(clients: tuple[Client, Client], seed: int, edits: int, encoding: str) -> None:
    """Edits by ranges; after each, some questions, and after every fifth, all."""
    chance = random.Random(seed)
    one, other = clients
    path = chance.choice(EXAMPLES)
    text = path.read_text(encoding="utf-8")
    uri = afresh(one, path, text)
    for number in range(edits):
        changes = []
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            start, end, new = random_edit(text, chance)
            part = Lines(text, Units(encoding)).range(start, end)
            places = [{"line": at.line, "character": at.character} for at in (part.start, part.end)]
            changes.append({"range": {"start": places[0], "end": places[1]}, "text": new})
            text = text[:start] + new + text[end:]
        one.change(uri, number + 2, *changes)
        at = Lines(text, Units(encoding)).position(min(len(text), start + len(new)))
        methods = (*AT_A_PLACE, *OF_A_TEXT) if number % 5 == 4 else tuple(chance.sample(AT_A_PLACE, 2))
        found = answers(one, uri, at.line, at.character, methods)
        assert found == answers(other, afresh(other, path, text), at.line, at.character, methods), (
            f"seed {seed}, edit {number}"
        )


def test_random_edits(folder: Path) -> None:
    with two_clients(folder, "utf-16") as clients:
        for seed in range(6):
            edited(clients, seed, 10, "utf-16")


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_thousands_of_random_edits(folder: Path, encoding: str) -> None:
    with two_clients(folder, encoding) as clients:
        for seed in range(1000, 1050):
            edited(clients, seed, 40, encoding)


def typed(clients: tuple[Client, Client], path: Path, ask_every: int) -> None:
    """Letter by letter, from an empty document on."""
    one, other = clients
    text = path.read_text(encoding="utf-8")
    uri = afresh(one, path, "")
    line = character = 0
    for number, letter in enumerate(text, 1):
        place = {"line": line, "character": character}
        one.change(uri, number + 1, {"range": {"start": place, "end": place}, "text": letter})
        width = 2 if ord(letter) > 0xFFFF else 1
        line, character = (line + 1, 0) if letter == "\n" else (line, character + width)
        if number % ask_every == 0 or number == len(text):
            methods = (*AT_A_PLACE, *OF_A_TEXT)
            found = answers(one, uri, line, character, methods)
            assert found == answers(other, afresh(other, path, text[:number]), line, character, methods)


@pytest.mark.parametrize("name", ["peterson.csp", "readers_writers.lts"])
def test_an_example_typed_letter_by_letter(folder: Path, name: str) -> None:
    with two_clients(folder, "utf-16") as clients:
        typed(clients, next(path for path in EXAMPLES if path.name == name), 331)


@pytest.mark.long
@pytest.mark.parametrize("path", EXAMPLES, ids=NAMES)
def test_examples_typed_letter_by_letter(folder: Path, path: Path) -> None:
    with two_clients(folder, "utf-16") as clients:
        typed(clients, path, 5)


# ---------------------------------------------------------------- verdicts

MODEL = """\
var on = false;
P() = turn{on = !on;} -> P() [] [on] b -> P();
#assert P() |= []<> b;
#assert P() deadlockfree;
#assert P() reaches on == true;
"""
EDITS = (
    ("false", "true"), ("true", "false"), ("!on", "on"), ("= on;", "= !on;"), ("[on]", "[true]"),
    ("[true]", "[on]"), ("b -> P", "b -> Stop"), ("-> Stop", "-> P"), ("[]<> b", "<>[] b"),
    ("<>[] b", "[]<> b"), ("\n", "\n// x\n"), ("\n", "\n#assert P() deterministic;\n"),
    ("deadlockfree", "divergencefree"),
)  # fmt: skip


def verdicts(client: Client, uri: str) -> dict[str, list[str]]:
    """The verdicts that are shown, by question."""
    found = client.request("fairlead/questions", {"textDocument": {"uri": uri}})["questions"]
    return {one["text"]: [verdict["title"] for verdict in one["verdicts"]] for one in found}


def verdicts_follow(clients: tuple[Client, Client], folder: Path, seed: int, edits: int) -> None:
    """What is shown after an edit is what a fresh check would say, or nothing."""
    chance = random.Random(seed)
    one, other = clients
    path = folder / f"m{seed}.csp"
    text = MODEL
    uri = afresh(one, path, text)
    one.command("fairlead.check", {"textDocument": {"uri": uri}})
    for number in range(edits):
        old, new = chance.choice([edit for edit in EDITS if edit[0] in text])
        text = text.replace(old, new, 1)
        one.change(uri, number + 2, text)
        shown = verdicts(one, uri)
        afresh(other, path, text)
        other.command("fairlead.check", {"textDocument": {"uri": uri}})
        truth = verdicts(other, uri)
        assert set(shown) == set(truth)
        wrong = {question for question, told in shown.items() if told and told != truth[question]}
        assert not wrong, f"seed {seed}, edit {number}: {wrong}"
        if chance.random() < 0.5:
            one.command("fairlead.check", {"textDocument": {"uri": uri}})


def test_verdicts_are_those_of_the_text(folder: Path) -> None:
    with two_clients(folder, "utf-16") as clients:
        verdicts_follow(clients, folder, 1, 4)


@pytest.mark.long
def test_verdicts_are_those_of_the_text_after_many_edits(folder: Path) -> None:
    with two_clients(folder, "utf-16") as clients:
        for seed in range(100, 110):
            verdicts_follow(clients, folder, seed, 30)
