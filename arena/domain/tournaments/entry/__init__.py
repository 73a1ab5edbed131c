"""Who takes part: entry by owners, by organizers or from a ladder, and the freeze."""
