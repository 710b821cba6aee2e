"""The version, in the lowest layer, where every module may read it."""

__version__ = "0.1.0"
