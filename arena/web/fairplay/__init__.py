"""Fair play: collusion, similarity of programs, reports and corrections by staff: pages."""
