"""Mail of the site in tests: the postman sends it in a thread of his own."""

import re

from django.core import mail

from arena.web.accounts import adapter

LINK = re.compile(r"http://testserver(\S+)")


def delivered():
    """Return all mail after the postman has sent what he had."""
    adapter.postman.submit(int).result(timeout=30)
    return mail.outbox


def link_in(message):
    """Return the path of the link in a mail."""
    (path,) = LINK.findall(message.body)
    return path
