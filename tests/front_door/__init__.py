"""Tests of the front door: licence, metadata, changelog, citation, workflows."""
