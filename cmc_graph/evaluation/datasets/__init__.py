"""Data sets that are built from others: histories, and a ``cases.jsonl`` beside them."""
