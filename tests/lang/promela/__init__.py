"""Promela: its texts, and what SPIN finds in small models."""
