"""Tests of the tools for agents, asked by the client of the package mcp over pipes."""
