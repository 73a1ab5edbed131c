"""Sites that sign users in, on this machine: one with OpenID Connect, and one like GitHub."""

import base64
import hashlib
import json
import time
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.error import HTTPError
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, build_opener

import jwt
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from cryptography.hazmat.primitives.asymmetric import rsa

from arena.embedded.tcp import LOOPBACK

CLIENT, SECRET = "arena", "a secret of the arena"


@cache
def _key():
    """Make the key that signs the tokens: once, because that takes a tenth of a second."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider(ThreadingHTTPServer):
    """Answers as one user, whose claims tests change. `broken` maps a path to a status or text."""

    def __init__(self):
        super().__init__((LOOPBACK, 0), _Answers)
        self.url = f"http://{LOOPBACK}:{self.server_address[1]}"
        self.key = _key()
        self.claims = {
            "sub": "u-1",
            "preferred_username": "ada",
            "email": "ada@example.org",
            "email_verified": True,
            "name": "Ada Lovelace",
        }
        self.github = {"id": 7, "login": "ada", "name": "Ada Lovelace", "email": None}
        self.emails = [
            {"email": "other@example.org", "primary": False, "verified": True},
            {"email": "ada@example.org", "primary": True, "verified": True},
        ]
        self.id_token = {}  # claims in it that differ
        self.broken = {}
        self.codes = {}

    def authorize(self, asked):
        """Return where the browser goes once the user has agreed."""
        code = f"code-{len(self.codes)}"
        self.codes[code] = asked
        back = {"code": code, "state": asked["state"]}
        return f"{asked['redirect_uri']}?{urlencode(back)}"

    def token(self, sent):
        """Return the tokens for a code, once, if the client proves who it is."""
        asked = self.codes.pop(sent["code"])
        proof = hashlib.sha256(sent["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        assert asked["code_challenge"] == challenge
        assert (sent["client_id"], sent["client_secret"]) == (CLIENT, SECRET)
        assert sent["redirect_uri"] == asked["redirect_uri"]
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 60}
        said = {**claims, "sub": self.claims["sub"], **self.id_token}
        signed = jwt.encode(said, self.key, algorithm="RS256", headers={"kid": "1"})
        return {"access_token": "at-1", "token_type": "Bearer", "id_token": signed}


class _Answers(BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, *_):
        """Log nothing."""

    def do_GET(self):
        """Answer what a browser or the site asks."""
        path, url = urlsplit(self.path).path, self.server.url
        if path in ("/authorize", "/login/oauth/authorize"):
            asked = dict(parse_qsl(urlsplit(self.path).query))
            self.send_response(302)
            self.send_header("Location", self.server.authorize(asked))
            self.end_headers()
            return
        answers = {
            "/.well-known/openid-configuration": {
                "issuer": url,
                "authorization_endpoint": f"{url}/authorize",
                "token_endpoint": f"{url}/token",
                "userinfo_endpoint": f"{url}/userinfo",
                "jwks_uri": f"{url}/jwks",
                "token_endpoint_auth_methods_supported": ["client_secret_post"],
            },
            "/userinfo": self.server.claims,
            "/user": self.server.github,
            "/user/emails": self.server.emails,
        }
        self._answer(path, answers.get(path))

    def do_POST(self):
        """Answer the site, which asks for tokens."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(self.path, self.server.token(dict(parse_qsl(body))))

    def _answer(self, path, said):
        broken = self.server.broken.get(path)
        status = broken if isinstance(broken, int) else 200
        body = (broken if isinstance(broken, str) else json.dumps(said)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


@contextmanager
def provider(settings, monkeypatch):
    """Run a provider that signs users of the site in, as GitHub and as "Example ID"."""
    with Provider() as server:
        app = {"client_id": CLIENT, "secret": SECRET}
        pkce = {"oauth_pkce_enabled": True}
        settings.SIGN_IN_PROVIDERS = [
            {**app, "provider": "github", "provider_id": "", "name": "GitHub", "settings": pkce},
            {
                **app,
                "provider": "openid_connect",
                "provider_id": "oidc",
                "name": "Example ID",
                "settings": {"server_url": server.url, **pkce},
            },
        ]
        urls = {
            "access_token_url": f"{server.url}/token",
            "authorize_url": f"{server.url}/login/oauth/authorize",
            "profile_url": f"{server.url}/user",
            "emails_url": f"{server.url}/user/emails",
        }
        for name, url in urls.items():
            monkeypatch.setattr(GitHubOAuth2Adapter, name, url)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def leave(client, which, **query):
    """Press the button of a provider; return the address to which the browser goes."""
    answer = client.post(f"/accounts/{which}/login/?{urlencode({'process': 'login', **query})}")
    assert answer.status_code == 200, answer
    return answer.context["address"]


def agree(address):
    """Agree at the provider, as a browser; return the path to which the browser comes back."""
    try:
        build_opener(_Stay).open(address)
    except HTTPError as redirect:
        with redirect:
            back = urlsplit(redirect.headers["Location"])
    return f"{back.path}?{back.query}"


def state_of(address):
    """Return the state that the site has sent along."""
    return parse_qs(urlsplit(address).query)["state"][0]


def sign_in(client, which, **query):
    """Sign in with a provider; return the answer of the site after all redirects."""
    return client.get(agree(leave(client, which, **query)), follow=True)
