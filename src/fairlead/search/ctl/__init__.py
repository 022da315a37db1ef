"""Checks fair CTL: labelling, and the runs that demonstrate a formula."""
