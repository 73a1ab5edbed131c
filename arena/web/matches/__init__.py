"""Pages about matches and games: results, records, replays and evidence."""
