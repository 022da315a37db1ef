"""Builds Büchi automata: translation from LTL, reduction, strength, validity, the HOA format."""
