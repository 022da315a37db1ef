"""From the syntax tree of a Promela model to its Network."""
