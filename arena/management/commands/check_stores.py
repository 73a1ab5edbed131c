"""Find out before a runner starts whether the database and the broker take it."""

import logging
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection
from django.db.utils import Error as DatabaseError
from kombu.exceptions import OperationalError

from arena.celery_app import app

logger = logging.getLogger(__name__)

TIMEOUT_S = 10.0
# What the reasons of libpq, OpenSSL and the broker contain, and what to do then.
ADVICE = {
    "certificate": "Check the file of the authority and the name of the host in {variable}:"
    " sslrootcert or ssl_ca_certs, and a name that the certificate of the server has.",
    "encryption": "Add sslmode=verify-full and sslrootcert to {variable}.",
    "password": "Put the password that the site has for runners into {variable}.",
}
OTHERWISE = "Check that the address in {variable} is right and can be reached from here."


class Command(BaseCommand):
    help = (
        "Connect to the database and to the broker once. End with status 1, and say in a sentence"
        " why, if one of them refuses. All that it says are log lines."
    )
    requires_system_checks = []

    def handle(self, *_args: Any, **_options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Try both, so that one start tells of both."""
        refusals = [
            sentence("database", "DATABASE_URL", _refusal_of_database()),
            sentence("broker", "DRAPEAU_BROKER_URL", _refusal_of_broker()),
        ]
        for why in filter(None, refusals):
            logger.error("store_refuses", extra={"why": why})
        if any(refusals):
            raise SystemExit(1)
        logger.info("stores_ready")


def sentence(store: str, variable: str, refusal: str) -> str:
    """Return why a store cannot be used and what to do, or an empty text if it can be used."""
    if not refusal:
        return ""
    advice = next((advice for word, advice in ADVICE.items() if word in refusal), OTHERWISE)
    return f"The {store} cannot be used: {refusal}. {advice.format(variable=variable)}"


def _refusal_of_database() -> str:
    try:
        connection.ensure_connection()
    except DatabaseError as why:
        return _first_line(why)
    connection.close()
    return ""


def _refusal_of_broker() -> str:
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=TIMEOUT_S)
    except OperationalError as why:
        return _first_line(why)
    return ""


def _first_line(why: Exception) -> str:
    """Return what the driver says first; the lines after it repeat that for other addresses."""
    return str(why).strip().partition("\n")[0].rstrip(".")
