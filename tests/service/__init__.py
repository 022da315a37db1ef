"""Tests of what editors, web pages and agents ask about models."""
