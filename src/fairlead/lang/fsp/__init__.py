"""Reads FSP, the language of LTSA: syntax, and its meaning as machines and networks."""
