"""Matches and their games: life cycle, results, records, replays and evidence."""
