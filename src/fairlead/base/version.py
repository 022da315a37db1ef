"""States the version of fairlead, which every report names."""

__version__ = "0.2.0"
