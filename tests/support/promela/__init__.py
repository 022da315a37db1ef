"""Promela apart from the front end: SPIN, an interpreter that follows the manual, random programs."""
