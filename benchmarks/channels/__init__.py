"""The channel meter: how many bits pass between programs that should know nothing of each other."""
