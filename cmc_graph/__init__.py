"""A memory store for agents: resolve updates first, then traverse, then show the records."""

__version__ = "0.1.0"
