"""The version of fairlead, which every report names."""

__version__ = "0.1.0"
