"""An agent: the client of the package mcp, for tests that wait."""
