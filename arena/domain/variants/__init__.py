"""Variants: their rule pages and ledgers."""
