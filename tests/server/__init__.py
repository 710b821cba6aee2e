"""The local server, for real: its jars, its processes, its refusals."""
