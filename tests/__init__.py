"""The tests of cmc-graph."""
