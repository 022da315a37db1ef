"""Random models as texts, and models made by hand for counters and symmetry."""
