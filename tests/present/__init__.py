"""Tests of `fairlead.present`: results as text, pages, pictures and reports."""
