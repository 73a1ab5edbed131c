"""What organizers do to a tournament that runs: each act tried first, done once, written down."""
