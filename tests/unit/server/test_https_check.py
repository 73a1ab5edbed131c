"""The warning of `manage.py check` about HTTPS without a proxy."""

import pytest
from django.core import checks


def warnings():
    return [found for found in checks.run_checks() if found.id == "arena.W001"]


def test_https_without_proxy_is_warned_with_advice(settings):
    settings.HTTPS, settings.PROXIES = True, 0
    (warning,) = warnings()
    assert warning.level == checks.WARNING
    assert "refuses forms" in warning.msg
    assert "Set DRAPEAU_PROXIES to the number of proxies" in warning.hint


@pytest.mark.parametrize(("https", "proxies"), [(True, 1), (False, 0), (False, 1)])
def test_other_sites_are_not_warned(settings, https, proxies):
    settings.HTTPS, settings.PROXIES = https, proxies
    assert warnings() == []
