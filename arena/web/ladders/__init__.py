"""Ladders and their leaderboards: pages."""
