"""The client. It keeps no state between calls, so threads may share one."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Any, Optional, Type, TypeVar

from .calls import Json, Settings, call_api


@dataclass(frozen=True)
class SentCode:
    """A code on its way. The code itself is never in the answer."""

    message: str
    channel: str
    message_id: str
    #: Tokens charged, and tokens left.
    cost: int
    balance: int
    #: Seconds for which the code is valid.
    expires_in: int
    short_url: Optional[str] = None


@dataclass(frozen=True)
class Verified:
    message: str


@dataclass(frozen=True)
class ShortLink:
    message: str
    short_url: str
    #: Seconds until the link ends; None when it does not.
    expires_in: Optional[int] = None


@dataclass(frozen=True)
class SentLink:
    message: str
    channel: str
    message_id: str
    cost: int
    balance: int
    short_url: str
    expires_in: int


@dataclass(frozen=True)
class SentToGroup:
    message: str
    channel: str
    message_id: str
    cost: int
    balance: int
    short_url: Optional[str] = None
    expires_in: Optional[int] = None


@dataclass(frozen=True)
class Health:
    message: str
    status: str
    version: str
    time: str


Answer = TypeVar("Answer")


class Zhiber:
    """Sends codes and links. A call returns when it has succeeded, and raises `ZhiberError`
    otherwise.

    :param api_key: `zk_live_…` or `zk_test_…`. It belongs on a server.
    :param base_url: the root of the API, such as `https://zhiber.kz/api`.
    :param timeout: seconds for one attempt. The server itself may try channels for ten.
    :param deadline: seconds for a whole call: its attempts and the waits between them.
    :param retries_max: how often a call is repeated when that is safe.
    :param max_retry_wait: a longer `Retry-After` is not waited for; it is in `retry_after`.
    :param origin: `https://your-domain`, for a key that is bound to a domain.
    """

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 15.0,
        deadline: float = 30.0,
        retries_max: int = 2,
        max_retry_wait: float = 10.0,
        origin: Optional[str] = None,
    ) -> None:
        self._settings = Settings(
            api_key=_read_header_value("api_key", api_key),
            base_url=_read_base_url(base_url),
            timeout=timeout,
            deadline=deadline,
            retries_max=retries_max,
            max_retry_wait=max_retry_wait,
            origin=None if origin is None else _read_header_value("origin", origin),
        )

    def __repr__(self) -> str:
        # Without the key, which would end up in logs.
        return f"Zhiber(base_url={self._settings.base_url!r})"

    def send_code(
        self,
        phone: str,
        *,
        purpose: Optional[str] = None,
        channel: Optional[str] = None,
        link: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> SentCode:
        """Sends a code to a phone."""
        body = {"phone": phone, "purpose": purpose, "channel": channel, "link": link}
        return self._post(SentCode, "/otp/send", body, idempotency_key)

    def verify_code(
        self,
        phone: str,
        code: str,
        *,
        purpose: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> Verified:
        """Returns only when the code is right. Everything else raises, a wrong code `CodeError`:
        a returned object would be true in every `if`, and let anybody in."""
        body = {"phone": phone, "code": code, "purpose": purpose}
        return self._post(Verified, "/otp/verify", body, idempotency_key)

    def shorten_link(
        self,
        url: str,
        *,
        alias: Optional[str] = None,
        expires_in: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> ShortLink:
        """Shortens a link and sends nothing."""
        body = {"url": url, "alias": alias, "expires_in": expires_in}
        return self._post(ShortLink, "/links/shorten", body, idempotency_key)

    def send_link(
        self,
        phone: str,
        url: str,
        *,
        channel: str = "auto",
        text: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> SentLink:
        """Shortens a link and sends it to a phone."""
        body = {"phone": phone, "url": url, "channel": channel, "text": text}
        return self._post(SentLink, "/links/send", body, idempotency_key)

    def send_to_group(
        self,
        group: str,
        text: str,
        *,
        channel: Optional[str] = None,
        link: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> SentToGroup:
        """Writes to a messenger group that the company has linked."""
        body = {"group": group, "text": text, "channel": channel, "link": link}
        return self._post(SentToGroup, "/group/send", body, idempotency_key)

    def health(self) -> Health:
        """Returns when the service works, and raises `UnavailableError` when it does not."""
        return _read_answer(Health, call_api(self._settings, "GET", "/health"))

    def _post(
        self, kind: Type[Answer], path: str, body: Json, idempotency_key: Optional[str]
    ) -> Answer:
        given = {name: value for name, value in body.items() if value is not None}
        answer = call_api(self._settings, "POST", path, given, idempotency_key)
        return _read_answer(kind, answer)


def _read_answer(kind: Type[Answer], answer: Json) -> Answer:
    """A newer server may answer with more fields; they are left out."""
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: answer.get(name) for name in known})


def _read_header_value(name: str, value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\x21-\x7e]+", value):
        return value
    raise ValueError(f"{name} must be a string of printable ASCII characters without spaces")


def _read_base_url(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"https?://[^/?#\s]+[^?#\s]*", value):
        return value.rstrip("/")
    raise ValueError("base_url must be the http or https address of the API, such as …/api")
