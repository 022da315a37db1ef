"""Tests of evidence as text."""
