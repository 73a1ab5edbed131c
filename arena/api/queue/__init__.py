"""The queue: match-making, scheduling and dispatch: endpoints."""
