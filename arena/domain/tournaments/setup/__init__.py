"""Before a tournament is announced: its terms, its preview and its expected duration."""
