"""Ladders and their leaderboards: endpoints."""
