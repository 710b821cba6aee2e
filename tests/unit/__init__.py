"""Pure modules, without I/O."""
