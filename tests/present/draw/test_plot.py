"""Charts: every point is where its values say, and inside its panel."""

from __future__ import annotations

import random
import re
from xml.etree import ElementTree

import pytest

from fairlead.present.draw.plot import (
    PANEL_HEIGHT,
    PANEL_WIDTH,
    Axis,
    Chart,
    Guide,
    Line,
    Panel,
    axis_of,
    columns_for,
    to_svg,
)

SVG = "{http://www.w3.org/2000/svg}"


def test_axes_have_room_and_keep_order() -> None:
    chance = random.Random(1)
    for _ in range(500):
        values = sorted(10 ** chance.uniform(-6, 9) for _ in range(chance.randint(1, 20)))
        axis = axis_of(values, 300.0)
        places = [axis.place(value) for value in values]
        assert places == sorted(places) and places[0] > 0 and places[-1] < 300.0
        for exponent in axis.decades:
            assert axis.low <= 10.0**exponent * (1 + 1e-6) and 10.0**exponent <= axis.high * (1 + 1e-6)
        assert axis.place(axis.low) == pytest.approx(0) and axis.place(axis.high) == pytest.approx(300)


def test_decades_are_those_between_the_ends() -> None:
    assert Axis(1.0, 1000.0, 1.0).decades == [0, 1, 2, 3]
    assert Axis(2.0, 900.0, 1.0).decades == [1, 2]
    assert axis_of([], 1.0).decades == [0, 1]


def _random_chart(chance: random.Random) -> Chart:
    tools = ("one & only", "two", "three", "four")[: chance.randint(1, 4)]
    panels = tuple(
        Panel(
            f"<panel {number}>",
            tuple(
                Line(
                    tool,
                    tuple(
                        (10 ** chance.uniform(2, 8), 10 ** chance.uniform(-3, 3))
                        for _ in range(chance.randint(1, 6))
                    ),
                )
                for tool in range(len(tools))
                if chance.random() < 0.8
            ),
            "remark" * chance.randint(0, 1),
        )
        for number in range(chance.randint(1, 14))
    )
    return Chart("growth", "x", "y", tools, panels, chance.choice(list(Guide)))


def _marks(group: ElementTree.Element) -> list[tuple[float, float]]:
    """The middle of each mark."""
    places = []
    for mark in group:
        if "mark" not in mark.get("class", "").split():
            continue
        match mark.tag.removeprefix(SVG):
            case "circle":
                places.append((float(mark.attrib["cx"]), float(mark.attrib["cy"])))
            case "rect":
                x, y, side = (float(mark.attrib[name]) for name in ("x", "y", "width"))
                places.append((x + side / 2, y + side / 2))
            case _:
                corners = [tuple(map(float, one.split(","))) for one in mark.attrib["points"].split()]
                xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
                # the triangle's middle is a little below that of the box around it
                middle = (min(ys) + max(ys)) / 2 + (0.5 if len(corners) == 3 else 0.0)
                places.append(((min(xs) + max(xs)) / 2, middle))
    return places


def test_points_can_be_read_back() -> None:
    chance = random.Random(2)
    for _ in range(200):
        chart = _random_chart(chance)
        root = ElementTree.fromstring(to_svg(chart))
        points = [point for panel in chart.panels for line in panel.lines for point in line.points]
        x_axis = axis_of([x for x, _ in points], PANEL_WIDTH)
        y_axis = axis_of([y for _, y in points], PANEL_HEIGHT)
        groups = root.findall(f"{SVG}g")[1:]
        assert len(groups) == len(chart.panels)
        for group, panel in zip(groups, chart.panels, strict=True):
            expected = [
                (x_axis.place(x), PANEL_HEIGHT - y_axis.place(y))
                for line in panel.lines
                for x, y in sorted(line.points)
            ]
            drawn = _marks(group)
            assert len(drawn) == len(expected)
            for (x, y), (known_x, known_y) in zip(drawn, expected, strict=True):
                assert abs(x - known_x) < 0.2 and abs(y - known_y) < 0.2
                assert 0 <= x <= PANEL_WIDTH and 0 <= y <= PANEL_HEIGHT


def test_panels_do_not_overlap_and_fit() -> None:
    chance = random.Random(4)
    for _ in range(50):
        chart = _random_chart(chance)
        root = ElementTree.fromstring(to_svg(chart))
        wide, high = float(root.attrib["width"]), float(root.attrib["height"])
        corners = []
        for group in root.findall(f"{SVG}g")[1:]:
            x, y = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
            assert x + PANEL_WIDTH <= wide and y + PANEL_HEIGHT <= high
            corners.append((x, y))
        for number, (x, y) in enumerate(corners):
            for other_x, other_y in corners[:number]:
                assert abs(x - other_x) > PANEL_WIDTH or abs(y - other_y) > PANEL_HEIGHT


def test_columns() -> None:
    assert [columns_for(panels) for panels in (0, 1, 3, 4, 5, 6, 8, 9, 12, 13)] == [
        1,
        1,
        3,
        4,
        3,
        3,
        4,
        3,
        4,
        4,
    ]


def test_the_guide_is_where_both_values_are_the_same() -> None:
    points = ((0.1, 10.0), (100.0, 0.5))
    chart = Chart("times", "x", "y", ("ours",), (Panel("one", (Line(0, points),)),), Guide.EQUAL)
    root = ElementTree.fromstring(to_svg(chart))
    x_axis, y_axis = axis_of([0.1, 100.0], PANEL_WIDTH), axis_of([10.0, 0.5], PANEL_HEIGHT)
    legend, panel = root.findall(f"{SVG}g")
    (line,) = panel.findall(f"{SVG}line[@class='guide']")
    for end in ("1", "2"):
        x, y = float(line.attrib[f"x{end}"]), float(line.attrib[f"y{end}"])
        value = y_axis.low if end == "1" else y_axis.high  # the shorter axis bounds it
        assert x == pytest.approx(x_axis.place(value), abs=0.1)
        assert y == pytest.approx(PANEL_HEIGHT - y_axis.place(value), abs=0.1)
    assert "equal" in [text.text for text in legend.findall(f"{SVG}text")]
    without = to_svg(Chart("times", "x", "y", ("ours",), chart.panels))
    assert 'class="guide"' not in without and "equal" not in without


def test_axes_without_common_values_have_no_guide() -> None:
    panels = (Panel("one", (Line(0, ((1000.0, 0.1),)),)),)
    root = ElementTree.fromstring(to_svg(Chart("times", "x", "y", ("ours",), panels, Guide.EQUAL)))
    assert not root.findall(f"{SVG}g")[1].findall(f"{SVG}line[@class='guide']")
