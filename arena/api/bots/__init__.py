"""Bots, their versions, challenges, probes and trials: endpoints."""
