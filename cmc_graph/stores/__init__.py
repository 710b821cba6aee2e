"""Stage 2 and everything that is kept. ``open_store`` is the only place that chooses a database."""
