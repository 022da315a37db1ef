"""Tests of FSP: parsing, elaboration, targets, answers."""
