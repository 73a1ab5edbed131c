"""Pages about the queue: match-making, scheduling, dispatch and estimates of waiting times."""
