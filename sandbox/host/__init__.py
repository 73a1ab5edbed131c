"""Resources of the host that the sandbox uses: user ids, folders of seats, kernel counters."""
