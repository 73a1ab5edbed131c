"""A tournament played through with house bots before it counts."""
