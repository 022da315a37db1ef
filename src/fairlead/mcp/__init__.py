"""Tools for agents: a thin face of `service/` that speaks the model context protocol."""
