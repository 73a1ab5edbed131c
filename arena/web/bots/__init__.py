"""Bots, their versions, challenges, probes and trials: pages."""
