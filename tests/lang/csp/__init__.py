"""Tests of CSP#: parsing, elaboration, the library, types written in Python."""
