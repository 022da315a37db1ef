"""Tests of explicit graphs, `.aut` and `.json`."""
