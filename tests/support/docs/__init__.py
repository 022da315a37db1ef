"""Readers and writers of the manual's pages; `make docs` runs them."""
