"""The languages a model can be written in: text to syntax tree to Network."""
