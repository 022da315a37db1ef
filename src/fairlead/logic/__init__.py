"""Represents temporal logic: formulas, their simplification, and the automata that recognise them."""
