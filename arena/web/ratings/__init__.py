"""Ratings: Elo events, the batch fit, seasons, annulments and recomputation: pages."""
