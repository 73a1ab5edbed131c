"""What the lines of the log leave out."""

import logging
from logging.config import DictConfigurator

import pytest

from arena.logs import STYLES, logging_settings

KEY = "wJ4-x_0123456789abcdefghijklmnop"


@pytest.mark.parametrize("style", sorted(STYLES))
@pytest.mark.parametrize("path", ["/play/{}/turn", "/account/mail/stop/{}:1v~x/"])
def test_keys_in_addresses_are_not_logged(style, path):
    config = logging_settings(style=style)["formatters"]["drapeau"]
    formatter = DictConfigurator({"version": 1}).configure_formatter(config)
    told = ("Not Found: %s", (path.format(KEY),))
    record = logging.LogRecord("django.request", logging.WARNING, __file__, 1, *told, None)

    line = formatter.format(record)

    assert path.split("{}")[0] in line
    assert KEY not in line
