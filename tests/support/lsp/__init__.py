"""A language client for tests, which shares nothing with the server."""
