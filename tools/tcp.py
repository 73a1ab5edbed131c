"""Ports of the loopback."""

import socket

LOOPBACK = "127.0.0.1"


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


def listening_socket(port: int) -> socket.socket:
    """Take the port for a server that gets the socket later; raise OSError when it is taken."""
    server = socket.socket()
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    # Connections inherit it; the server cannot tell that this is TCP and would leave it off.
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        server.bind((LOOPBACK, port))
        server.listen(128)
    except OSError:
        server.close()
        raise
    return server
