"""What the sandbox uses of the host: user ids, folders of seats, kernel counters."""
