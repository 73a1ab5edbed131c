"""Pages about ladders and their leaderboards."""
