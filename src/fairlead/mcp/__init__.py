"""Serves agents with tools: a thin face of `service/` that speaks the model context protocol."""
