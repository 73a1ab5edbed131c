# verdict: crash | ended with exit status 1 before it was ready | all
"""Has a bug at its top."""

raise RuntimeError("a bug of the author")
