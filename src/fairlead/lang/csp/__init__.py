"""Reads CSP#, the language of PAT's CSP module: grammar, syntax tree, elaboration to a Network."""
