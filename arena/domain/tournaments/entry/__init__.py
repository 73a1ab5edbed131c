"""Who is in a tournament: entered by themselves, by organizers or from a ladder, and frozen."""
