"""FSP, the language of LTSA: syntax, and what it means as machines and networks."""
