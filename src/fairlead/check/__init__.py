"""The questions: one module per kind of assertion, all answered on an explored graph."""
