"""Presents results as pages and parts of pages: verdicts, runs to step through, and why they are fair."""
