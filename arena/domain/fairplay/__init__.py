"""Fair play: surprises, reports and corrections by staff."""
