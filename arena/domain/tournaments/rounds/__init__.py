"""A tournament that runs: its rounds are drawn, their pairings brought to an end, step by step."""
