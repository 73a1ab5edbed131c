"""The queue: match-making, scheduling, dispatch and waiting-time estimates: endpoints."""
