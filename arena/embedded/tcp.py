"""Ports of this machine."""

import errno
import socket

LOOPBACK = "127.0.0.1"
_PORTS = range(65536)


def free_port() -> int:
    """Return a TCP port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port


def listens(port: int) -> bool:
    """Return whether something accepts connections on the port."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex((LOOPBACK, port)) == 0


def listening_socket(port: int, host: str = LOOPBACK) -> socket.socket:
    """Take the port for a server that gets the socket later; raise OSError if that fails."""
    if port not in _PORTS:  # the system would take the rest of a division
        raise OSError(errno.EINVAL, f"ports go from 0 to {_PORTS[-1]}")
    family, kind, protocol, _name, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM
    )[0]
    server = socket.socket(family, kind, protocol)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it; the server cannot tell that this is TCP and would leave it off.
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        server.bind(address)
        server.listen(128)
    except OSError:
        server.close()
        raise
    return server
