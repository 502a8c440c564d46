"""What a framework brings along: requests, responses, and a session in a signed cookie."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import time
from dataclasses import dataclass
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl

# With a random secret, everybody is signed out when the server restarts.
SECRET = os.environ.get("SESSION_SECRET", secrets.token_hex(32)).encode()
HOURS = 12
FORM_BYTES_MAX = 16 * 1024


@dataclass
class Request:
    method: str
    path: str
    form: dict
    session: dict

    @classmethod
    def from_environ(cls, environ: dict) -> "Request":
        length = min(int(environ.get("CONTENT_LENGTH") or 0), FORM_BYTES_MAX)
        text = environ["wsgi.input"].read(length).decode("utf-8", "replace")
        cookie = SimpleCookie(environ.get("HTTP_COOKIE", "")).get("session")
        session = read_session(cookie.value if cookie else "")
        return cls(environ["REQUEST_METHOD"], environ["PATH_INFO"], dict(parse_qsl(text)), session)


@dataclass
class Response:
    body: str
    status: int
    session: dict
    location: str = ""

    def headers(self) -> list:
        headers = [("Content-Type", "text/html; charset=utf-8"), ("Set-Cookie", to_cookie(self.session))]
        return [*headers, ("Location", self.location)] if self.location else headers


def redirect(location: str, session: dict) -> Response:
    return Response("", 303, session, location)


def read_session(value: str) -> dict:
    text, _, mac = value.partition(".")
    if not hmac.compare_digest(mac.encode(), sign(text).encode()):
        return {}
    session = json.loads(base64.urlsafe_b64decode(text))
    return session if session["until"] > time.time() else {}


def to_cookie(session: dict) -> str:
    """Forms of other sites come without a cookie that is SameSite=Lax."""
    kept = {**session, "until": time.time() + HOURS * 3600}
    text = base64.urlsafe_b64encode(json.dumps(kept).encode()).decode()
    return f"session={text}.{sign(text)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={HOURS * 3600}"


def sign(text: str) -> str:
    return hmac.new(SECRET, text.encode(), hashlib.sha256).hexdigest()
