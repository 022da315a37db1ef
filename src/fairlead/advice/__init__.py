"""Which fairness a property needs: notions, least sets of single assumptions, and why each is needed."""
