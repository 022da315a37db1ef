"""Colours of drawings, for light and for dark backgrounds."""

from __future__ import annotations

from fairlead.base.records import dataclass


@dataclass(frozen=True)
class Shades:
    """The colours of one background; if there are more groups than tints, these are used again."""

    paper: str
    ink: str
    line: str
    state: str
    stem: str
    loop: str
    deadlock: str
    error: str
    error_fill: str
    tints: tuple[str, ...]


LIGHT = Shades(
    paper="#ffffff",
    ink="#1f2328",
    line="#59636e",
    state="#f6f8fa",
    stem="#0969da",
    loop="#a626a4",
    deadlock="#bc4c00",
    error="#cf222e",
    error_fill="#ffdcd9",
    tints=("#cfe8ff", "#d6f2d0", "#fff1b8", "#ffdcc2", "#e9dbff", "#c9f1ee", "#ffd9ec", "#e3e6ea"),
)
DARK = Shades(
    paper="#0d1117",
    ink="#e6edf3",
    line="#9198a1",
    state="#1c2128",
    stem="#58a6ff",
    loop="#d894f0",
    deadlock="#f0883e",
    error="#ff7b72",
    error_fill="#5d1a1d",
    tints=("#12395e", "#1b4721", "#4d3f06", "#59300f", "#3f2a66", "#0f4a47", "#591f40", "#3a4149"),
)


def tint_of(shades: Shades, number: int) -> str:
    """The colour of a tint."""
    return shades.tints[number % len(shades.tints)]


def tint_class(number: int) -> str:
    """What the style sheet calls a tint."""
    return f"tint{number % len(LIGHT.tints)}"


def style_sheet(inside: str = "") -> str:
    """The style sheet: light colours, and dark ones where the reader prefers them.

    In a page it is for pictures `inside` elements that a selector names.
    """
    dark = "\n".join(f"  {line}" for line in _scoped(_colours(DARK), inside))
    fixed = [
        "text { font-family: Helvetica, Arial, 'Liberation Sans', sans-serif; font-size: 12px; }",
        ".number, .line, .value { text-anchor: middle; }",
        "text.value { font-size: 10px; }",
        ".side { text-anchor: start; }",
        ".internal-line { font-style: italic; }",
        ".arrow { fill: none; stroke-width: 1.2; }",
        ".internal { stroke-dasharray: 5 3; }",
        ".state { stroke-width: 1.3; }",
        ".inner { fill: none; stroke-width: 1.3; }",
        ".error { stroke-width: 2.6; }",
        ".deadlock, .stuck { stroke-width: 3.2; }",
        ".stem.arrow, .loop.arrow { stroke-width: 2.4; }",
        ".stem.state, .loop.state { stroke-width: 2.6; }",
        "text.stem, text.loop { font-weight: bold; }",
    ]
    light = "\n".join(_scoped([*fixed, *_colours(LIGHT)], inside))
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}"


def _scoped(rules: list[str], inside: str) -> list[str]:
    """Rules that count only inside some elements."""
    if not inside:
        return rules
    split = [rule.partition(" {") for rule in rules]
    return [
        ", ".join(f"{inside} {selector}" for selector in selectors.split(", ")) + brace + body
        for selectors, brace, body in split
    ]


def _colours(shades: Shades) -> list[str]:
    rules = [
        f".paper {{ fill: {shades.paper}; }}",
        f"text {{ fill: {shades.ink}; }}",
        f".arrow, .inner {{ stroke: {shades.line}; }}",
        f".head {{ fill: {shades.line}; }}",
        f".state {{ fill: {shades.state}; stroke: {shades.line}; }}",
    ]
    rules.append(f".error {{ fill: {shades.error_fill}; stroke: {shades.error}; }}")
    rules += [f".{tint_class(number)} {{ fill: {tint}; }}" for number, tint in enumerate(shades.tints)]
    rules += [
        f".deadlock, .stuck {{ stroke: {shades.deadlock}; }}",
    ]
    for name, colour in (("stem", shades.stem), ("loop", shades.loop)):
        rules += [
            f".{name}.arrow, .{name}.state, .{name}.inner {{ stroke: {colour}; }}",
            f".{name}.head, text.{name} {{ fill: {colour}; }}",
        ]
    return rules
