"""Slow checkers written from the definitions. What judges verdicts shares nothing with fairlead."""
