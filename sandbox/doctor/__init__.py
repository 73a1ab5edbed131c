"""The doctor: tests every isolation promise on this machine."""
