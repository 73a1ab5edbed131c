"""A site as the command line sees it: its API, the token, and its refusals as sentences.

Texts of a site come from strangers. Whoever prints them cleans them first, see
`commands/output.py`.
"""

import ipaddress
import json
import ssl
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage, InvalidURL
from time import monotonic, sleep, time
from typing import IO, Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

T = TypeVar("T")

API = "/api/v1/"
ANSWER_WAIT_S = 30
ANSWER_MAX_BYTES = 64 * 2**20
PAGE_MAX_ROWS = 200
MORE = ": drapeau doctor"  # ends the sentence about a site that does not answer
EXAMPLE = "write it like https://arena.example"
PATIENCE_S = 300.0  # how long a wait goes on while the site does not answer
PAUSE_MAX_S = 60.0
REOPEN_S = 2.0  # before a stream that ended is opened again
LISTED_BY = {
    "bots": "drapeau bot",
    "games": "drapeau matches",
    "ladders": "drapeau leaderboard",
    "matches": "drapeau matches",
    "tokens": "drapeau token list",
    "tournaments": "drapeau tournament",
}
BUSY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
REASONS: dict[type[object], str] = {  # the first that fits
    HTTPError: "the answer is {cause.code} {cause.reason}",
    ssl.SSLCertVerificationError: "its certificate is not accepted here: {cause.verify_message}",
    ssl.SSLError: "it does not speak https",
    TimeoutError: f"nothing came within {ANSWER_WAIT_S} seconds",
    InvalidURL: "this is not an address",
    ValueError: "this is not an address",
    str: "this is not an address",  # of an URLError
}


class SiteProblem(Exception):
    """The site cannot do what was asked; the text says what, why and what to do next."""


class BadAddress(SiteProblem):
    """What was given is not the address of a site, or one that would show the token to others."""


class SiteUnreachable(SiteProblem):
    """Nothing answers at the address, or something that is not a site."""


class SiteRefusal(SiteProblem):
    """The site refused a request. `code` is that of its problem, or empty."""

    def __init__(self, message: str, *, status: int, code: str = "", wait_s: float = 0.0) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.wait_s = wait_s


class SignedOut(SiteRefusal):
    """The site wants a token: there is none, or the site does not accept it any more."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: it could take the token to another host."""

    def redirect_request(
        self,
        req: Request,  # noqa: ARG002 - of urllib
        fp: IO[bytes],  # noqa: ARG002 - of urllib
        code: int,  # noqa: ARG002 - of urllib
        msg: str,  # noqa: ARG002 - of urllib
        headers: HTTPMessage,  # noqa: ARG002 - of urllib
        newurl: str,  # noqa: ARG002 - of urllib
    ) -> Request | None:
        return None


def address_of(given: str, *, insecure_http: bool = False) -> str:
    """Return the address of a site: scheme, host and port. Raise BadAddress.

    Without a scheme it is https, or http on this machine, and a name without a dot is refused as a
    slip. Plain http to another machine would show the token to everybody on the way.
    """
    try:
        parts = urlsplit(given if "://" in given else f"//{given}")
        port, host = parts.port, parts.hostname or ""
    except ValueError as problem:
        raise BadAddress(f"{given!r} is not the address of a site: {EXAMPLE}") from problem
    is_name_alone = not parts.scheme and not _is_here(host) and not set(host) & set(".:")
    scheme = parts.scheme or ("http" if _is_here(host) else "https")
    if scheme not in ("http", "https") or not _is_host(parts, host) or is_name_alone:
        raise BadAddress(f"{given!r} is not the address of a site: {EXAMPLE}")
    if scheme == "http" and not insecure_http and not _is_here(host):
        raise BadAddress(
            f"{given} is plain http, so everybody on the way can read the password and the token. "
            f"Use https, or in a network that you trust: drapeau login {given} --insecure-http"
        )
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" + (f":{port}" if port else "")


def reason_of(problem: Exception) -> str:
    """Return in words why a file or an address gave nothing, whatever a library says of it."""
    cause = problem if isinstance(problem, HTTPError) else getattr(problem, "reason", problem)
    for kind, words in REASONS.items():
        if isinstance(cause, kind):
            return words.format(cause=cause)
    why: str | None = getattr(cause, "strerror", None)
    return why or "the connection ended before the answer did"


def _is_host(parts: SplitResult, host: str) -> bool:
    return bool(host) and "@" not in parts.netloc and host.isascii() and not set(host) & set(" %\\")


def _is_here(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class SiteClient:
    """One site, with the token of a user or without."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address = address
        self.token = token
        self.clock_ahead_s: float | None = None  # of the site, by its latest answer
        handlers: list[Any] = [_NoRedirects()]
        if _is_here(urlsplit(address).hostname or ""):
            handlers.append(ProxyHandler({}))  # this machine needs no proxy
        self._opener = build_opener(*handlers)

    def page(self, path: str) -> str:
        """Return the whole address of a page."""
        return f"{self.address}{path}"

    def get(self, *parts: object, **query: object) -> Any:  # noqa: ANN401 - JSON
        """Return what an address of the API shows. Raise SiteProblem."""
        return self._json("GET", self._api(parts, query))

    def rows(self, *parts: object, most: int, **query: object) -> dict[str, Any]:
        """Return a list of the API with its first rows, from as many pages as that needs."""
        size = min(most, PAGE_MAX_ROWS)
        page: dict[str, Any] = self.get(*parts, page_size=size, **query)
        results = list(page["results"])
        while len(results) < most and page["next"]:
            following = dict(parse_qsl(urlsplit(page["next"]).query))  # whatever host it names
            page = self.get(*parts, **following)
            results += page["results"]
        return {**page, "results": results[:most]}

    def post(self, *parts: object, body: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Send JSON. Raise SiteProblem."""
        data = json.dumps(body or {}).encode()
        return self._write(parts, data, "application/json")

    def patch(self, *parts: object, body: Mapping[str, object]) -> Any:  # noqa: ANN401 - JSON
        """Change what an address of the API names. Raise SiteProblem."""
        headers = {"Content-Type": "application/json"}
        return self._json("PATCH", self._api(parts, {}), json.dumps(body).encode(), headers)

    def upload(self, *parts: object, filename: str, data: bytes) -> Any:  # noqa: ANN401 - JSON
        """Send a file as a form. Raise SiteProblem."""
        mark = uuid.uuid4().hex
        name = "".join(char if char.isalnum() or char in "._-" else "_" for char in filename)
        head = (
            f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n"
        )
        form = head.encode() + data + f"\r\n--{mark}--\r\n".encode()
        return self._write(parts, form, f"multipart/form-data; boundary={mark}")

    def delete(self, *parts: object) -> None:
        """Delete what an address of the API names. Raise SiteProblem."""
        self._send("DELETE", self._api(parts, {}))

    def download(self, *parts: object) -> bytes:
        """Return what an address of the API sends that is no JSON. Raise SiteProblem."""
        return self._send("GET", self._api(parts, {}))

    def events(self, *parts: object, **query: object) -> Generator[tuple[str, str]]:
        """Yield kind and data of each event of a stream, which is opened again when it ends.

        Raise SiteProblem if the site refuses, or does not answer for minutes.
        """
        last_id, heard_at_s = "", monotonic()
        while True:
            headers = {"Last-Event-ID": last_id} if last_id else {}
            try:
                with self._opened("GET", self._api(parts, query), headers=headers) as stream:
                    heard_at_s, fields = monotonic(), dict[str, str]()
                    for line in stream:
                        heard_at_s = monotonic()
                        name, _, value = line.decode(errors="replace").rstrip().partition(":")
                        if name:
                            fields[name] = value.removeprefix(" ")
                        elif not line.strip():  # the event is complete; a comment begins with ":"
                            last_id = fields.get("id", last_id)
                            if fields.keys() >= {"event", "data"}:
                                yield fields["event"], fields["data"]
                            fields = {}
            except (SiteUnreachable, SiteRefusal) as problem:
                is_refused = isinstance(problem, SiteRefusal) and problem.status not in BUSY
                if is_refused or monotonic() - heard_at_s > PATIENCE_S:
                    raise
            sleep(REOPEN_S)

    def read_page(self, path: str) -> str:
        """Return the text of a page of the site. Raise SiteProblem."""
        return self._send("GET", f"{self.address}{path}").decode(errors="replace")

    def _api(self, parts: tuple[object, ...], query: Mapping[str, object]) -> str:
        path = "/".join(quote(str(part), safe="") for part in parts)
        given = {name: value for name, value in query.items() if value is not None}
        return f"{self.address}{API}{path}" + (f"?{urlencode(given)}" if given else "")

    def _write(self, parts: tuple[object, ...], data: bytes, media_type: str) -> Any:  # noqa: ANN401 - JSON
        """Send a body, and once more if the answer was lost: the key lets the site do it once."""
        headers = {"Content-Type": media_type}
        if not self.token:
            return self._json("POST", self._api(parts, {}), data, headers)
        headers["Idempotency-Key"] = uuid.uuid4().hex
        try:
            return self._json("POST", self._api(parts, {}), data, headers)
        except SiteUnreachable:
            return self._json("POST", self._api(parts, {}), data, headers)

    def _json(self, method: str, url: str, *content: Any) -> Any:  # noqa: ANN401 - JSON
        answer = self._send(method, url, *content)
        if not answer and method == "POST":
            return None  # there is nothing to say
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as problem:
            raise SiteUnreachable(
                f"{self.address} answers, but not as a site of Drapeau does. Check the address"
            ) from problem

    def _send(
        self,
        method: str,
        url: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        with self._opened(method, url, data, headers) as answer:
            content = answer.read(ANSWER_MAX_BYTES + 1)
        if len(content) > ANSWER_MAX_BYTES:
            most = ANSWER_MAX_BYTES // 2**20
            raise SiteUnreachable(f"{self.address} sends more than {most} MiB in one answer")
        return content

    @contextmanager
    def _opened(
        self,
        method: str,
        url: str,
        data: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[IO[bytes]]:
        """Create a block that reads an answer. Raise SiteProblem."""
        request = Request(url, data=data, method=method, headers=dict(headers or {}))  # noqa: S310 - of http and https, see `address_of`
        request.add_header("Accept", "application/json")
        if self.token:
            request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        try:
            with self._opener.open(request, timeout=ANSWER_WAIT_S) as answer:
                self._note_clock(answer.headers)
                yield answer
        except HTTPError as problem:
            with problem:
                raise self._refusal(problem) from problem
        except (OSError, HTTPException, ValueError) as problem:
            raise SiteUnreachable(
                f"{self.address} does not answer: {reason_of(problem)}. "
                f"Check the address and the network{MORE}"
            ) from problem

    def _note_clock(self, headers: Message) -> None:
        try:
            date = parsedate_to_datetime(headers["Date"])
            self.clock_ahead_s = date.timestamp() - time()
        except (TypeError, ValueError):
            self.clock_ahead_s = None

    def _refusal(self, answer: HTTPError) -> SiteProblem:
        """Return the refusal in words: what, why, and what to do next."""
        status, site = answer.code, self.address
        if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
            target = answer.headers.get("Location", "nowhere")
            return SiteUnreachable(
                f"{site} sends this command on to {target}. It does not follow, because the token "
                "would go along. If that is the address of the site: drapeau login ADDRESS"
            )
        try:
            problem = json.loads(answer.read(ANSWER_MAX_BYTES))
            words = _sentence(problem, site, urlsplit(answer.url).path)
            code = str(problem["code"])
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
            reason = f"{status} {answer.reason}"
            if status == HTTPStatus.NOT_FOUND:
                return SiteUnreachable(
                    f"there is no Drapeau at {site}: it answers with {reason}. Check the address"
                )
            return SiteRefusal(f"{site} answers with {reason}. Try again later", status=status)
        if code in ("not_signed_in", "bad_token"):
            return SignedOut(words, status=status, code=code)
        wait = answer.headers.get("Retry-After", "")
        wait_s = min(float(wait), PAUSE_MAX_S) if wait.isascii() and wait.isdigit() else 0.0
        return SiteRefusal(words, status=status, code=code, wait_s=wait_s)


def _sentence(problem: Mapping[str, Any], site: str, path: str) -> str:
    """Return a problem of the API as text. Hints for programs become those for the command."""
    code, reason = problem["code"], str(problem["detail"])
    hints = {
        "not_signed_in": f"Log in: drapeau login {site}",
        "bad_token": f"Log in again: drapeau login {site}",
        "wrong_credentials": f"Check both, or make an account: {site}/accounts/signup/",
        "second_factor_needed": f"Make a token at {site}/account/tokens/ and give it to: "
        f"drapeau login {site} --token -",
        "missing_scope": f"Log in again for a token of its own: drapeau login {site}",
        "invalid": "",
    }
    hint = hints.get(code, problem["hint"])
    if code == "not_found" and not problem["errors"]:
        place = unquote(path.removeprefix(API))
        reason = f"{site} has nothing at {place}"
        hint = f"List what there is: {LISTED_BY.get(place.partition('/')[0], 'drapeau --help')}"
    elif len(problem["errors"]) > 1:
        reason = "; ".join(f"{row['field']}: {row['message']}" for row in problem["errors"])
    sentence = f"{problem['title']}: {reason}"
    return f"{sentence.rstrip('.')}. {hint}" if hint else sentence


def answers(ask: Callable[[], T], *, every_s: float) -> Iterator[T | None]:
    """Yield what a site answers to a request, again and again, with a pause between two answers.

    Yield None where a busy site or a broken connection gives no answer. Raise SiteProblem if that
    lasts for minutes, or if the site refuses.
    """
    answered_at_s = monotonic()
    while True:
        pause_s = every_s
        try:
            yield ask()
            answered_at_s = monotonic()
        except (SiteUnreachable, SiteRefusal) as problem:
            if isinstance(problem, SiteRefusal) and problem.status not in BUSY:
                raise
            if monotonic() - answered_at_s > PATIENCE_S:
                raise
            pause_s = max(every_s, getattr(problem, "wait_s", 0.0))
            yield None
        sleep(pause_s)
