"""Graphs to draw."""
