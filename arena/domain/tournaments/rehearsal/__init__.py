"""Rehearsals: playing a tournament with house bots before the real one."""
