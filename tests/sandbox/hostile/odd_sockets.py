# verdict: plays | kept in
# contained by: system-call filter
# levels: docker, bubblewrap
"""Opens sockets of families that no game needs."""

import socket

import wire

FAMILIES = {
    "inet": (2, 1),
    "inet6": (10, 1),
    "raw": (2, 3),
    "netlink": (16, 3),
    "packet": (17, 3),
    "rds": (21, 5),
    "llc": (26, 2),
    "can": (29, 3),
    "tipc": (30, 5),
    "bluetooth": (31, 1),
    "iucv": (32, 1),
    "rxrpc": (33, 2),
    "isdn": (34, 3),
    "phonet": (35, 2),
    "ieee802154": (36, 2),
    "caif": (37, 5),
    "alg": (38, 5),
    "nfc": (39, 5),
    "vsock": (40, 1),
    "kcm": (41, 5),
    "qipcrtr": (42, 2),
    "smc": (43, 1),
    "xdp": (44, 3),
    "mctp": (45, 2),
}
wire.probe(
    {
        name: lambda family=family, kind=kind: socket.socket(family, kind).close()
        for name, (family, kind) in FAMILIES.items()
    }
)
