"""Pictures: well-formed, complete, escaped, the same each time; what is stressed, and what is refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from fairlead.base.diagnostics import InputError
from fairlead.model.explicit import ExplicitGraph
from fairlead.model.labels import is_internal
from fairlead.model.run import Run
from fairlead.model.system import Step, idle_step
from fairlead.present.draw.dot import to_dot
from fairlead.present.draw.emphasis import Mark, emphasis
from fairlead.present.draw.groups import FormulaStates, terminal_components
from fairlead.present.draw.labels import compressed
from fairlead.present.draw.picture import MOST_LINES, picture_of
from fairlead.present.draw.style import DARK, LIGHT
from fairlead.present.draw.svg import to_svg
from fairlead.present.draw.text import LONGEST_HEADING, printable, shortened, width
from tests.support.draw.graphs import graph_of, random_graph

SVG = "{http://www.w3.org/2000/svg}"
P = frozenset(("p",))


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text.encode("utf-8"))


def groups(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == name]


def classes(root: ElementTree.Element, tag: str) -> list[set[str]]:
    return [set((element.get("class") or "").split()) for element in root.iter(f"{SVG}{tag}")]


def reached(graph: ExplicitGraph) -> dict[int, set[int]]:
    """What each state reaches, itself included; by iteration."""
    found = {state: {state} for state in range(graph.state_count)}
    changed = True
    while changed:
        changed = False
        for state, targets in found.items():
            more = {step.target for one in targets for step in graph.transitions.get(one, ())}
            if not more <= targets:
                targets |= more  # type: ignore[arg-type]
                changed = True
            assert found[state] is targets
    return found


# ---------------------------------------------------------------- random graphs


@pytest.mark.parametrize("seed", range(16))
def test_everything_reachable_is_drawn(seed: int) -> None:
    graph = random_graph(seed)
    text = to_svg(graph, title="<title> & more")
    assert text == to_svg(graph, title="<title> & more")
    root = drawn(text)
    states = reached(graph)[graph.initial]
    assert {group.get("data-state") for group in groups(root, "node")} == {str(state) for state in states}
    pairs = {(state, step.target) for state in states for step in graph.transitions.get(state, ())}
    arrows = groups(root, "transition")
    assert sorted((int(g.get("data-from", "")), int(g.get("data-to", ""))) for g in arrows) == sorted(pairs)
    for group in arrows:
        source, target = int(group.get("data-from", "")), int(group.get("data-to", ""))
        steps = [step for step in graph.transitions[source] if step.target == target]
        (title,) = group.findall(f"{SVG}title")
        assert title.text is not None
        assert title.text.splitlines()[1:] == [f"{printable(step.event)}  by p" for step in steps]
        dashed = any("internal" in names for names in classes(group, "path"))
        assert dashed == all(is_internal(step.event) for step in steps)
    assert root.find(f"{SVG}title").text == "<title> & more"  # type: ignore[union-attr]
    assert root.find(f"{SVG}desc") is not None
    assert len(groups(root, "entry")) == 1


@pytest.mark.parametrize("seed", range(16))
def test_texts_stay_inside(seed: int) -> None:
    graph = random_graph(seed)
    root = drawn(to_svg(graph, emphasis(graph, terminal=True)))
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    for text in root.iter(f"{SVG}text"):
        assert text.text
        half = width(text.text) / 2
        x, y = float(text.get("x", "")), float(text.get("y", ""))
        centred = "class" in text.attrib and "side" not in text.attrib["class"].split()
        assert x - (half if centred else 0) >= 0
        assert x + (half if centred else 2 * half) <= wide
        assert 10 <= y <= high


@pytest.mark.parametrize("seed", range(100))
def test_terminal_components(seed: int) -> None:
    graph = random_graph(seed)
    reach = reached(graph)
    expected = {
        frozenset(reach[state])
        for state in reach[graph.initial]
        if all(state in reach[other] for other in reach[state])
    }
    found = terminal_components(graph)
    assert {frozenset(component) for component in found} == expected
    assert found == sorted(found)


# ---------------------------------------------------------------- what is stressed


def test_a_lasso_is_coloured() -> None:
    graph = graph_of(4, [(0, "a", 1), (1, "b", 2), (2, "c", 1), (2, "d", 1), (2, "e", 3)])
    run = Run(0, (Step("a", P, 1),), (Step("b", P, 2), Step("c", P, 1)))
    shown = emphasis(graph, run)
    assert shown.states == {0: Mark.STEM, 1: Mark.LOOP, 2: Mark.LOOP}
    assert shown.of_step(2, Step("c", P, 1)) is Mark.LOOP
    assert shown.of_step(2, Step("d", P, 1)) is Mark.NONE
    root = drawn(to_svg(graph, shown))
    marks = {
        (group.get("data-from"), group.get("data-to")): classes(group, "path")[0] & {"stem", "loop"}
        for group in groups(root, "transition")
    }
    assert marks == {("0", "1"): {"stem"}, ("1", "2"): {"loop"}, ("2", "1"): {"loop"}, ("2", "3"): set()}
    texts = {text.text: text.get("class") for text in root.iter(f"{SVG}text")}
    assert texts["c"] == "line loop"
    assert texts["d"] == "line"
    assert "the run: stem" in texts
    dot = to_dot(graph, shown)
    assert dot.count("penwidth=2") == 3 + 3
    assert "penwidth=3" in dot  # the deadlock


def test_idling_is_a_loop_of_the_state_alone() -> None:
    graph = graph_of(2, [(0, "a", 1)])
    shown = emphasis(graph, Run(0, (Step("a", P, 1),), (idle_step(1),)))
    assert shown.states == {0: Mark.STEM, 1: Mark.LOOP}
    assert list(shown.steps) == [(0, Step("a", P, 1))]
    root = drawn(to_svg(graph, shown))
    # the border shows the run, so a ring inside it shows the deadlock
    assert {"inner", "stuck"} in classes(root, "circle")


def test_endings_are_told_apart() -> None:
    graph = graph_of(4, [(0, "a", 1), (0, "b", 2), (0, "c", 3)], terminated=frozenset((1,)))
    root = drawn(to_svg(graph))
    circles = {
        group.get("data-state"): [set(c.get("class", "").split()) for c in group.iter(f"{SVG}circle")]
        for group in groups(root, "node")
    }
    assert circles["0"] == [{"state"}]
    assert circles["1"] == [{"state"}, {"inner"}]
    assert circles["2"] == [{"state", "deadlock"}]
    object.__setattr__(graph, "errors", {3: "Lock"})
    text = to_svg(graph)
    assert "error in Lock" in text
    assert {"state", "error"} in classes(drawn(text), "circle")
    assert "fillcolor" in to_dot(graph)


def test_terminal_components_have_tints_and_a_legend() -> None:
    graph = graph_of(4, [(0, "a", 1), (0, "b", 2), (2, "c", 3), (3, "c", 2)])
    text = to_svg(graph, emphasis(graph, terminal=True))
    tints = [names & {"tint0", "tint1"} for names in classes(drawn(text), "circle")]
    assert tints.count({"tint0"}) == 1 + 1
    assert tints.count({"tint1"}) == 2 + 1
    assert "terminal component 2: 2 states" in text
    dot = to_dot(graph, emphasis(graph, terminal=True))
    assert dot.count("fillcolor") == 3 + 2
    assert (
        f'legend1 [shape=box, style=filled, fillcolor="{LIGHT.tints[1]}", label="terminal component 2' in dot
    )
    assert "legend" not in to_dot(graph)


# ---------------------------------------------------------------- where a formula holds


def tints(root: ElementTree.Element) -> dict[str, set[str]]:
    """The tints of states."""
    return {
        group.get("data-state", ""): {
            name for names in classes(group, "circle") for name in names if "tint" in name
        }
        for group in groups(root, "node")
    }


def legend(root: ElementTree.Element) -> list[tuple[set[str], str]]:
    """The lines of the legend: the tint beside it, and the text."""
    return [
        (
            {name for names in classes(group, "circle") for name in names if "tint" in name},
            "".join(text.text or "" for text in group.iter(f"{SVG}text")),
        )
        for group in groups(root, "legend")
    ]


LINE = graph_of(5, [(0, "a", 1), (1, "b", 2), (2, "c", 2), (0, "c", 3), (3, "b", 0)])  # 4 is out of reach


def test_states_of_a_formula_have_tints_and_a_legend() -> None:
    found = FormulaStates("AG p", frozenset((0, 2, 4)), frozenset((1,)), "under GF a")
    text = to_svg(LINE, emphasis(LINE, formula=found))
    root = drawn(text)
    assert tints(root) == {"0": {"tint1"}, "1": {"tint2"}, "2": {"tint1"}, "3": set()}
    assert legend(root) == [
        (set(), "AG p"),
        (set(), "under GF a"),
        ({"tint1"}, "holds in 2 states"),
        ({"tint2"}, "holds in 1 state after some of the steps into it only"),
    ]
    assert LIGHT.tints[1] in text
    assert DARK.tints[1] in text
    tooltips = {g.get("data-state"): (g.findtext(f"{SVG}title") or "") for g in groups(root, "node")}
    assert tooltips["0"].splitlines()[-1] == "the formula holds"
    assert tooltips["1"].splitlines()[-1] == "the formula holds only after some of the steps into it"
    assert tooltips["3"] == "state 3"
    described = root.findtext(f"{SVG}desc") or ""
    assert "AG p, under GF a: holds in 2 states; holds in 1 state after some of the steps" in described
    dot = to_dot(LINE, emphasis(LINE, formula=found))
    assert f'  0 [label="0", style=filled, fillcolor="{LIGHT.tints[1]}"];' in dot
    assert f'  1 [label="1", style=filled, fillcolor="{LIGHT.tints[2]}"];' in dot
    assert r'label="AG p\lunder GF a\l";' in dot
    assert 'label="holds in 2 states"' in dot


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        (frozenset(), "holds in no state"),
        (frozenset((4,)), "holds in no state"),
        (frozenset((3,)), "holds in 1 state"),
        (frozenset(range(4)), "holds in every state"),
    ],
)
def test_how_often_a_formula_holds(holds: frozenset[int], words: str) -> None:
    shown = emphasis(LINE, formula=FormulaStates("p", holds))
    assert [text for _, text in legend(drawn(to_svg(LINE, shown)))] == ["p", words]
    assert f'label="{words}"' in to_dot(LINE, shown)


def test_a_formula_and_a_run_are_shown_together() -> None:
    run = Run(0, (Step("a", P, 1), Step("b", P, 2)), (Step("c", P, 2),))
    root = drawn(to_svg(LINE, emphasis(LINE, run, formula=FormulaStates("p", frozenset((2, 3))))))
    assert {"state", "tint1", "loop"} in classes(root, "circle")
    assert [text for _, text in legend(root)] == [
        "the run: stem",
        "the run: loop, which repeats forever",
        "p",
        "holds in 2 states",
    ]


def test_an_error_where_a_formula_holds_has_both_colours() -> None:
    graph = graph_of(3, [(0, "a", 1), (0, "b", 2)], errors={1: "Lock", 2: "Lock"})
    shown = emphasis(graph, formula=FormulaStates("p", frozenset((1,))))
    text = to_svg(graph, shown)
    circles = {g.get("data-state"): classes(g, "circle") for g in groups(drawn(text), "node")}
    assert circles["1"] == [{"state", "tint1", "error"}]
    assert circles["2"] == [{"state", "error"}]
    # of two rules that fit, the later one is taken
    assert text.index(".error { fill") < text.index(".tint1 { fill")
    dot = to_dot(graph, shown)
    assert f'color="{LIGHT.error}", penwidth=2, style=filled, fillcolor="{LIGHT.tints[1]}"' in dot
    assert f'color="{LIGHT.error}", penwidth=2, style=filled, fillcolor="{LIGHT.error_fill}"' in dot


def test_long_formulas_are_shortened_and_escaped() -> None:
    long = " && ".join(f'EF ("<{number}>" && x)' for number in range(40))
    shown = emphasis(LINE, formula=FormulaStates(long, frozenset((0,))))
    root = drawn(to_svg(LINE, shown))
    first, second = groups(root, "legend")
    assert [text for _, text in legend(root)] == [shortened(long, LONGEST_HEADING), "holds in 1 state"]
    assert first.findtext(f"{SVG}title") == long
    assert second.find(f"{SVG}title") is None
    dot = to_dot(LINE, shown)
    assert long.replace('"', '\\"') not in dot
    assert r'label="EF (\"<0>\"' in dot


def test_one_tint_for_each_state() -> None:
    with pytest.raises(InputError, match="a state has one tint"):
        emphasis(LINE, terminal=True, formula=FormulaStates("p", frozenset()))


# ---------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("labels", "lines"),
    [
        (["a.1", "a.2", "a.3"], ["a[1..3]"]),
        (["a.1", "a.2"], ["a.1", "a.2"]),
        (["a.3", "b", "a.1", "a.2", "a.5"], ["a[1..3]", "b", "a.5"]),
        (["a.1.x", "a.2.x", "a.0.x"], ["a[0..2].x"]),
        (["c!1", "c!2", "c!3"], ["c![1..3]"]),
        (["c[0]?5", "c[1]?5", "c[2]?5"], ["c[0..2]?5"]),
        (["a.-1", "a.0", "a.1"], ["a[-1..1]"]),
        (["x1", "x2", "x3"], ["x1", "x2", "x3"]),
        (["a.01", "a.02", "a.03"], ["a.01", "a.02", "a.03"]),
        (["a.0.0", "a.0.1", "a.0.2", "a.1.0"], ["a.0[0..2]", "a.1.0"]),
        (["1", "2", "3"], ["[1..3]"]),
    ],
)
def test_ranges(labels: list[str], lines: list[str]) -> None:
    found = compressed(labels)
    assert [line for line, _ in found] == lines
    assert sorted(label for _, members in found for label in members) == sorted(labels)


def test_long_and_many_labels_are_shortened() -> None:
    long = "acquire" * 20
    graph = graph_of(2, [(0, long, 1), *((1, f"event_{'abcdefghij'[n]}", 0) for n in range(10))])
    picture = picture_of(graph, emphasis(graph))
    assert picture.arrows[0].labels[0].text == shortened(long)
    assert len(picture.arrows[1].labels) == MOST_LINES
    assert picture.arrows[1].labels[-1].text == "… 5 more"
    text = to_svg(graph)
    assert long in text
    assert all(f"event_{letter}  by p" in text for letter in "abcdefghij")


def test_nothing_escapes() -> None:
    graph = graph_of(2, [(0, '</text><script>x="1"</script>', 1), (1, "]]>\0\ud800", 0)])
    text = to_svg(graph, title="</title>")
    drawn(text)
    assert "<script" not in text
    dot = to_dot(graph_of(2, [(0, 'a"];\n b\\', 1)], propositions={'p"': frozenset((0,))}))
    assert re.search(r'label="a\\"\];\N{REPLACEMENT CHARACTER} b\\\\"', dot)
    assert r'label="0\np\""' in dot


# ---------------------------------------------------------------- what is refused


def test_large_graphs_are_refused() -> None:
    graph = graph_of(61, [(state, "a", state + 1) for state in range(60)])
    with pytest.raises(InputError, match="61 states") as refused:
        to_svg(graph)
    (problem,) = refused.value.diagnostics
    assert problem.hint is not None
    assert "--max-drawn" in problem.hint
    assert len(groups(drawn(to_svg(graph, most_states=61)), "node")) == 61
    # what cannot be reached is not drawn and does not count
    to_svg(graph_of(1000, [(0, "a", 1)]))
