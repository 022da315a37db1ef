"""Wraps the native engine: networks and explicit graphs, explored and searched in C++."""
