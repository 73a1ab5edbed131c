"""The log format of every process: lines for people, or one JSON object per line."""

import logging
import re
import sys
from collections.abc import Mapping
from logging.config import dictConfig
from types import TracebackType
from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]
# Whoever has such an address needs no account: the seat of a person, links in mails.
_KEYS = re.compile(r"(/(?:play|stop|key|confirm-email)/)[\w:.~-]{16,}")
STYLES: Mapping[str, list[Any]] = {
    "console": [
        structlog.dev.ConsoleRenderer(
            colors=False, exception_formatter=structlog.dev.plain_traceback
        )
    ],
    "json": [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
}


def logging_settings(*, style: str) -> dict[str, Any]:
    """Return Django's LOGGING for `console` or `json`. Raise KeyError for another style."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "drapeau": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *STYLES[style],
                    _without_keys,
                ],
            },
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "drapeau"}},
        "root": {"handlers": ["stderr"], "level": "WARNING"},
        "loggers": {
            "arena": {"level": "INFO"},
            "sandbox": {"level": "INFO"},
            "celery": {"level": "WARNING"},
            "django.security.DisallowedHost": {"level": "ERROR"},
        },
    }


def configure(settings: dict[str, Any]) -> None:
    """Configure the loggers of the standard library, and structlog on top of them.

    Warnings of Python and errors that end the process are log lines too.
    """
    dictConfig(settings)
    logging.captureWarnings(capture=True)
    sys.excepthook = _log_uncaught
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _without_keys(_logger: object, _name: str, line: str) -> str:
    """Return a line without the keys in addresses, which the lines of requests name."""
    return _KEYS.sub(r"\1…", line)


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logging.getLogger(__name__).critical("process_failed", exc_info=(kind, error, trace))
