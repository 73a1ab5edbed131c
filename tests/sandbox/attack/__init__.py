"""Hostile bots against a good one, and what is left of them afterwards."""
