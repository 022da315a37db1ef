"""Readers of JUnit and SARIF reports."""
