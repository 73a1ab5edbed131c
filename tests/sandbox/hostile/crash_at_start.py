# verdict: crash | ended with exit status 1 before it was ready
# contained by: end of file is a loss
# levels: docker, bubblewrap, process
"""Has a bug at its top."""

raise RuntimeError("a bug of the author")
