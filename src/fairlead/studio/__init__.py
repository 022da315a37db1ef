"""The studio: a local server, and a page with an editor, checks, runs, a simulator and graphs."""
