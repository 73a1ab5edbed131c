"""Pages for fair play: surprises, reports, corrections by staff."""
