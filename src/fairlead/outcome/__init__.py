"""Contains values that describe what a check found, its progress and its limits, without behaviour."""
