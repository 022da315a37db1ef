"""Tests of `fairlead.cli`: each command as a user meets it."""
