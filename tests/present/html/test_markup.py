"""Markup: whatever is not made by `tag` is text, and stays text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairlead.present.draw.text import printable
from fairlead.present.html.markup import embedded, joined, separated, tag
from tests.support.html.pages import read


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_texts_come_back_as_they_were(text: str) -> None:
    element = read(tag("p", text, title=text)).one("p")
    assert element.text == printable(text)
    assert (element.attributes["title"] or "") == printable(text)
    assert len(list(element.walk())) == 1


@settings(max_examples=40, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_data_comes_back_and_ends_no_element(data: object) -> None:
    text = embedded(data)
    assert not set("<>&") & set(text)
    assert json.loads(text) == data


def test_pieces_are_put_together() -> None:
    assert joined("a<", None, [tag("b", "c"), ["d"]]) == "a&lt;<b>c</b>d"
    assert separated(["a", tag("i", "&")], " < ") == "a &lt; <i>&amp;</i>"


@pytest.mark.parametrize(
    ("attributes", "shown"),
    [
        ({"class_": "x"}, '<td class="x"></td>'),
        ({"hidden": True}, "<td hidden></td>"),
        ({"hidden": False, "title": None}, "<td></td>"),
        ({"colspan": 2, "data_step": 7}, '<td colspan="2" data-step="7"></td>'),
        ({"title": '"<'}, '<td title="&quot;&lt;"></td>'),
    ],
)
def test_attributes(attributes: dict[str, str], shown: str) -> None:
    assert tag("td", **attributes) == shown
