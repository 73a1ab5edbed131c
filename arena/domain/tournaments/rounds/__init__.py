"""Running a tournament: its rounds are drawn and its pairings are played, step by step."""
