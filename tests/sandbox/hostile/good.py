# verdict: plays
# contained by: nothing to contain
# levels: docker, bubblewrap, process
"""Plays as it should, as a measure for all others."""

import wire

wire.play()
