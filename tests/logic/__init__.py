"""Tests of `fairlead.logic`: formulas, automata, fairness."""
