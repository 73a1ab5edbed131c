"""How German pages write numbers: see `arena.formats`."""

DECIMAL_SEPARATOR = "."
