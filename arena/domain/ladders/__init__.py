"""Ladders and their leaderboards."""
