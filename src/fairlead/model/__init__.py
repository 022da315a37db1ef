"""Defines the Network, one intermediate form for every language, and its reference semantics."""
