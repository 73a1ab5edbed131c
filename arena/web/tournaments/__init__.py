"""Pages about tournaments: set-up, entry, rounds, interventions, rehearsals and results."""
