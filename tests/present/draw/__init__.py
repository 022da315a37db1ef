"""Tests of pictures: layout, SVG, charts."""
