"""Tests of the JSON schemas: everything that commands write against them."""
