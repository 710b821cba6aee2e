"""Whole commands and whole clients."""
