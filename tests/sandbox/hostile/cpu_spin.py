# verdict: timeout | ms of
# contained by: CPU charge
# levels: docker
"""Burns CPU over its move."""

import wire

wire.begin()
while True:
    pass
