"""Promela, beside SPIN."""
