"""Tests of JUnit and SARIF reports."""
