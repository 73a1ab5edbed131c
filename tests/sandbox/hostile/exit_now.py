# verdict: crash | ended with exit status 0 before it was ready
# contained by: end of file is a loss
# levels: docker
"""Ends before it begins."""
