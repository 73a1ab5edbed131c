"""Pages about variants: their rules and ledgers."""
