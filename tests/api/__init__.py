"""Tests of `fairlead.api`: models as programs and notebooks use them."""
