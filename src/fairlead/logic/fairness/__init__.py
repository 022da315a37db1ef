"""Notions of fairness, fairness formulas and the acceptance conditions that they stand for."""
