"""Tournaments: setup, entry, rounds, interventions, rehearsals and release."""
