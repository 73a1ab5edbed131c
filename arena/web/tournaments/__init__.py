"""Tournaments: set-up, entry, rounds, interventions, rehearsal and results: pages."""
