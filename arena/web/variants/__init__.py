"""Variants: their rule pages and ledgers: pages."""
