"""The doctor: tests every isolation guarantee on this machine."""
