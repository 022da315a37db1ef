"""The language server: a thin face of `service/` that speaks the language server protocol."""
