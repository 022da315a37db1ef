"""Tests of the manual: every example in it runs, every link leads somewhere, the site builds."""
