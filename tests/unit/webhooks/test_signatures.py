"""Signatures are those of Standard Webhooks, and the example of the manual checks them."""

import time
from typing import Any

import pytest

from arena.domain.webhooks import sending
from tests.tree import text
from tests.unit.meta.examples import fences

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"
BODY = '{"event": "ping", "word": "né"}'


def signed(*secrets, at_s=None, body=BODY):
    now_s = int(time.time())
    return sending.signed(secrets=secrets, delivery_id="wd_1", body=body, timestamp_s=at_s or now_s)


@pytest.fixture(scope="module")
def is_genuine():
    """The function that the manual shows."""
    (shown,) = [
        content
        for language, content in fences(text("docs/how-to/receive-webhooks.md"))
        if language == "python"
    ]
    namespace: dict[str, Any] = {}
    exec(shown, namespace)
    return namespace["is_genuine"]


def test_the_signature_is_that_of_the_specification():
    """The values are those of the tests of the project's own libraries."""
    headers = sending.signed(
        secrets=[SECRET],
        delivery_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        body='{"test": 2432232314}',
        timestamp_s=1614265330,
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_manual_example_takes_only_genuine_signatures(is_genuine):
    body = BODY.encode()

    assert is_genuine(SECRET, signed(SECRET), body)
    assert is_genuine(SECRET, signed(OTHER, SECRET), body)
    assert not is_genuine(SECRET, signed(OTHER), body)
    assert not is_genuine(SECRET, signed(SECRET), body + b" ")
    assert not is_genuine(SECRET, {**signed(SECRET), "webhook-id": "wd_2"}, body)
    assert not is_genuine(SECRET, signed(SECRET, at_s=int(time.time()) - 400), body)
