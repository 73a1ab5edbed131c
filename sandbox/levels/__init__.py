"""Levels of isolation: containers, namespaces and plain processes."""
