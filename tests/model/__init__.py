"""Tests of `fairlead.model`: the network and its meaning."""
