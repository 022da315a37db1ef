"""Finds out which fairness a property needs: notions, minimal sets of assumptions, and why each is needed."""
