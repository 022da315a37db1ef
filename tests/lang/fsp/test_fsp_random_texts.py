"""Random texts in FSP: what is printed is read back, and the parser takes what the grammar allows."""

from __future__ import annotations

import random

import pytest

from fairlead.base.diagnostics import InputError, LimitReached
from fairlead.base.source import Source
from fairlead.lang.fsp.lexing import lex
from fairlead.lang.fsp.parse import parse, parse_formula
from tests.support.fsp.generating import UPPER_NAMES, TreeWriter
from tests.support.fsp.printing import Printer, text_of
from tests.support.fsp.recognising import Recogniser

# all names are declared as sets, so that a text is right or wrong whatever its names
_NAMES = (*UPPER_NAMES, "X", "U", "W")
_DECLARATIONS = "".join(f"set {name} = {{a}}\n" for name in _NAMES)
_PIECES = """a P X U W 1 || | [ ] [] ( ) { } -> . .. , : :: = + / \\ @ ! && < > << ' # ;
    when if then else forall exists rigid assert const progress fluent set property"""
_LONGEST = 150


def _check_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    tree = TreeWriter(rng).definitions()
    for printing in (None, rng):
        tokens = Printer(printing).definitions(tree)
        text = text_of(tokens, printing)
        assert parse(Source("m.lts", _DECLARATIONS + text))[len(_NAMES) :] == tree, text
        assert Recogniser(lex(Source("m.lts", text))[:-1]).accepts("text"), text
    formula = TreeWriter(rng).formula()
    text = text_of(Printer(rng).formula(formula), rng)
    assert parse_formula(Source("f", f"x {text} y"), 2, 2 + len(text)) == formula, text


def _mutated(rng: random.Random, tokens: list[str]) -> list[str]:
    tokens = list(tokens)
    pieces = tokens if rng.random() < 0.5 else _PIECES.split()
    place = rng.randrange(len(tokens))
    match rng.randrange(4):
        case 0:
            del tokens[place]
        case 1:
            tokens.insert(place, rng.choice(pieces))
        case 2:
            tokens[place] = rng.choice(pieces)
        case _:
            tokens[place - 1], tokens[place] = tokens[place], tokens[place - 1]
    return tokens


def _check_mutations(seed: int) -> tuple[int, int]:
    """How many mutations were still right, and how many were wrong."""
    rng = random.Random(seed)
    tokens = Printer(rng).definitions(TreeWriter(rng).definitions())
    right = wrong = 0
    if len(tokens) > _LONGEST:
        return 0, 0
    for _ in range(4):
        tokens = _mutated(rng, tokens) or ["P"]
        text = text_of(tokens)
        expected = Recogniser(lex(Source("m.lts", text))[:-1]).accepts("text")
        try:
            parse(Source("m.lts", _DECLARATIONS + text))
            accepted = True
        except InputError as error:
            (problem,) = error.diagnostics
            assert problem.span is not None
            assert problem.span.line >= len(_NAMES)
            accepted = False
        assert accepted == expected, text
        right, wrong = right + accepted, wrong + (not accepted)
        if not accepted:
            tokens = Printer(rng).definitions(TreeWriter(rng).definitions())[:_LONGEST]
    return right, wrong


def _check_characters(seed: int) -> None:
    """A text with other characters in it is read or refused, and refused with a place in it."""
    rng = random.Random(seed)
    text = text_of(Printer(rng).definitions(TreeWriter(rng).definitions()), rng)
    characters = list(text)
    for _ in range(rng.randint(1, 5)):
        place = rng.randrange(len(characters) + 1)
        characters[place : place + rng.randint(0, 4)] = rng.choice(
            ('"', "/*", "*/", "é", "\0", "0x", "$", "9", "")
        )
    text = "".join(characters)
    try:
        parse(Source("m.lts", text))
    except (InputError, LimitReached) as error:
        for problem in error.diagnostics:
            assert problem.span is not None
            assert 0 <= problem.span.start <= problem.span.end <= len(text)
            assert str(problem.span.line) in problem.render()


@pytest.mark.parametrize("block", range(0, 300, 50))
def test_what_is_printed_is_read_back(block: int) -> None:
    for seed in range(block, block + 50):
        _check_round_trip(seed)


def test_the_parser_takes_what_the_grammar_allows() -> None:
    counts = [_check_mutations(seed) for seed in range(400)]
    assert sum(right for right, _ in counts) > 20
    assert sum(wrong for _, wrong in counts) > 500


def test_no_character_makes_it_fall_over() -> None:
    for seed in range(300):
        _check_characters(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(1_000, 4_000, 500))
def test_many_texts(block: int) -> None:
    for seed in range(block, block + 500):
        _check_round_trip(seed)
        _check_mutations(seed)
        _check_characters(seed)
