"""Gives Promela, the language of SPIN: text → syntax tree → control points → Network."""
