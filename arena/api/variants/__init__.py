"""Variants: their rule pages and ledgers: endpoints."""
