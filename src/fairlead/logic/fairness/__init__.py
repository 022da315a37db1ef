"""Represents notions of fairness, fairness formulas and their acceptance conditions."""
