"""Mail of the site in tests, and a mail server that answers as it is told."""

import re
import socketserver
import threading
from contextlib import contextmanager
from itertools import takewhile

from django.core import mail

from arena.domain.accounts import outgoing_mail
from arena.embedded.tcp import LOOPBACK

GO_ON = "354"
END = b".\r\n"
LINK = re.compile(r"http://testserver(\S+)")


def delivered():
    """Return all mail after the outbox has sent what it had."""
    outgoing_mail.deliver()
    return mail.outbox


def link_in(message):
    """Return the path of the link in a mail."""
    (path,) = LINK.findall(message.body)
    return path


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server of few words: `replies` maps commands to replies, `mails` are the taken ones.

    A command without a reply of its own gets "250 OK". A reply of None keeps the client waiting
    until the server ends.
    """

    block_on_close = True  # a conversation that does not end fails its test

    def __init__(self, **replies):
        super().__init__((LOOPBACK, 0), _Conversation)
        self.replies = {"GREETING": "220 ready", "DATA": f"{GO_ON} go on", **replies}
        self.callers = 0
        self.mails = []
        self.ended = threading.Event()


class _Conversation(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self):
        self.server.callers += 1
        command = "GREETING"
        while command:
            reply = self.server.replies.get(command, "250 OK")
            if reply is None:
                self.server.ended.wait()
                return
            self._say(reply)
            if reply.startswith(GO_ON):
                self.server.mails.append(self._mail())
                self._say("250 taken")
            command = self.rfile.readline().decode().strip().partition(" ")[0].upper()

    def _mail(self):
        """Return the lines up to the end of the mail, or up to where the client went away."""
        lines = iter(self.rfile.readline, END)
        return b"".join(takewhile(bool, lines)).decode()

    def _say(self, reply):
        self.wfile.write(f"{reply}\r\n".encode())


@contextmanager
def mail_server(settings, **replies):
    """Run a mail server, to which the site hands its mail meanwhile."""
    with MailServer(**replies) as server:
        settings.MAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = LOOPBACK, server.socket.getsockname()[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.ended.set()
            server.shutdown()
            thread.join()
