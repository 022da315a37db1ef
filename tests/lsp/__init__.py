"""Tests of the language server, by a client that shares nothing with it."""
