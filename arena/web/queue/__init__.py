"""Pages about the queue: match-making, scheduling and dispatch."""
