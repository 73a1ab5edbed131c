"""The exit statuses of `drapeau`; docs/reference/commands.md explains them."""

FAILED = 1
USAGE = 2  # words that are not understood, or a bot that cannot be started
UNDECIDED = 3
UNREADABLE = 4
SIGNED_OUT = 5  # the site wants a token, or does not accept the one that is kept
SIGNALLED = 128  # and the number of the signal, as shells have it
INTERRUPTED = 130
