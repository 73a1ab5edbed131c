"""Pages about bots, versions, challenges, probes and trials."""
