"""Fair CTL: labelling, and the runs that demonstrate a formula."""
