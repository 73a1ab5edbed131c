"""Tournaments: drafted, entered, frozen, directed round by round, put right, released."""
