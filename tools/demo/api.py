"""The site as a bot developer's program sees it: the public API and nothing else."""

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx2

from tools.demo.refusal import DemoFailed

_TIMEOUT_S = 10.0  # while we wait, nobody starts a dead server again
_PACE_S = 0.12  # the site lets a caller ask 600 times a minute


@dataclass(frozen=True)
class Account:
    """A developer of the demo."""

    username: str
    password: str


class Api:
    """One caller; signed in after `sign_in`. Refusals become DemoFailed, in the site's words."""

    def __init__(self, url: str) -> None:
        self._client = httpx2.Client(
            base_url=f"{url}/api/v1", timeout=_TIMEOUT_S, event_hooks={"request": [self._pace]}
        )
        self._token_id = ""
        self._last_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._client.close()

    def sign_up(self, account: Account) -> None:
        """Register, or find that the name exists: then the password has to fit."""
        answer = self._client.post(
            "/users", json={"username": account.username, "password": account.password}
        )
        taken = answer.status_code == httpx2.codes.CONFLICT
        if answer.status_code != httpx2.codes.CREATED and not taken:
            raise _refused(answer)

    def sign_in(self, account: Account) -> None:
        """Get a token and use it from here on."""
        row = self._post(
            "/tokens",
            json={"username": account.username, "password": account.password, "name": "demo"},
        )
        self._token_id = row["id"]
        self._client.headers["Authorization"] = f"Bearer {row['token']}"

    def sign_out(self) -> None:
        """Revoke the token."""
        answer = self._client.delete(f"/tokens/{self._token_id}")
        if answer.is_error:
            raise _refused(answer)
        del self._client.headers["Authorization"]

    def find_bot(self, owner: str, slug: str) -> dict[str, Any] | None:
        """Return the bot with its versions, or None."""
        answer = self._client.get(f"/bots/{owner}/{slug}")
        if answer.status_code == httpx2.codes.NOT_FOUND:
            return None
        return _json_of(answer)

    def create_bot(self, slug: str) -> None:
        self._post("/bots", json={"name": slug.capitalize(), "slug": slug})

    def upload(self, owner: str, slug: str, data: bytes) -> int:
        """Upload a zip as a new version and give its number."""
        row = self._post(
            f"/bots/{owner}/{slug}/versions",
            files={"file": (f"{slug}.zip", data, "application/zip")},
            # Tried again after a lost answer, the same bytes make no second version.
            headers={"Idempotency-Key": f"{slug}-{hashlib.sha256(data).hexdigest()}"},
        )
        number: int = row["number"]
        return number

    def version(self, owner: str, slug: str, number: int) -> dict[str, Any]:
        return _json_of(self._client.get(f"/bots/{owner}/{slug}/versions/{number}"))

    def version_log(self, owner: str, slug: str, number: int) -> dict[str, Any]:
        """Return what the checks of a version wrote; for its owner only."""
        return _json_of(self._client.get(f"/bots/{owner}/{slug}/versions/{number}/log"))

    def ladders(self) -> list[dict[str, Any]]:
        """Return the ladders by name, closed ones too."""
        rows: list[dict[str, Any]] = _json_of(self._client.get("/ladders?page_size=200"))["results"]
        return rows

    def leaderboard(self, ladder: str) -> list[dict[str, Any]]:
        """Return the rows of a ladder, the best first."""
        rows: list[dict[str, Any]] = _json_of(self._client.get(f"/ladders/{ladder}/entries"))[
            "results"
        ]
        return rows

    def tournament(self, slug: str) -> dict[str, Any] | None:
        """Return a tournament, or None."""
        answer = self._client.get(f"/tournaments/{slug}")
        if answer.status_code == httpx2.codes.NOT_FOUND:
            return None
        return _json_of(answer)

    def get(self, path: str) -> dict[str, Any]:
        """Return what an address of the API shows."""
        return _json_of(self._client.get(path))

    def post(self, path: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """Send JSON to an address of the API."""
        return self._post(path, json=dict(content))

    def _pace(self, _request: httpx2.Request) -> None:
        time.sleep(max(0.0, self._last_s + _PACE_S - time.monotonic()))
        self._last_s = time.monotonic()

    def _post(self, path: str, **content: Any) -> dict[str, Any]:  # noqa: ANN401 - what httpx2 takes
        return _json_of(self._client.post(path, **content))


def _json_of(answer: httpx2.Response) -> dict[str, Any]:
    if answer.is_error:
        raise _refused(answer)
    content: dict[str, Any] = answer.json()
    return content


def _refused(answer: httpx2.Response) -> DemoFailed:
    what = f"{answer.request.method} {answer.request.url.path}"
    return DemoFailed(f"the site refused {what} with {answer.status_code}: {answer.text[:500]}")


def words_of(log: Mapping[str, Any]) -> str:
    """Return a version's log as text, the empty steps left out."""
    return "\n".join(f"[{step['step']}] {step['log']}" for step in log["steps"] if step["log"])
