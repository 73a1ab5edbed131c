"""Pages for fair play: collusion, similarity of programs, reports, corrections by staff."""
