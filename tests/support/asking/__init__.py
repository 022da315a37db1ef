"""Asks questions about models and gives the answers in a form that can be compared."""
