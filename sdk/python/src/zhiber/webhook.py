"""Checks the calls of webhooks by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Union

# A copied call is worthless after this time.
TOLERANCE_SECONDS = 300


class WebhookError(Exception):
    """A call that is not from the service, or is too old. Answer it with 400 and do nothing else.

    `code` is `missing_header`, `invalid_secret`, `expired`, `wrong_signature` or `invalid_body`.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class WebhookEvent:
    """An event whose signature is right. `id` is the same when an event is delivered again: keep
    the ids you have dealt with."""

    id: str
    type: str
    timestamp: str
    data: Dict[str, Any]


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: str,
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
) -> WebhookEvent:
    """Returns the event, or raises `WebhookError`. `body` are the bytes as they came: parsed and
    written again, JSON differs. `headers` may also be the environ of WSGI."""
    raw = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    named = {_header_name(name): value for name, value in headers.items()}
    event_id = _read_header(named, "webhook-id")
    timestamp = _read_header(named, "webhook-timestamp")
    signatures = _read_header(named, "webhook-signature")
    signed = f"{event_id}.{timestamp}.".encode("utf-8") + raw
    mac = hmac.new(_read_secret(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    # Several signatures come while a secret is being replaced.
    given = [one.encode("utf-8") for one in signatures.split(" ")]
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise WebhookError("wrong_signature", "No signature matches")
    _check_age(timestamp, tolerance_seconds)
    return _read_event(event_id, raw)


def _header_name(name: Any) -> str:
    plain = str(name).lower().replace("_", "-")
    return plain[5:] if plain.startswith("http-") else plain


def _read_header(headers: Mapping[str, Any], name: str) -> str:
    value = headers.get(name)
    if isinstance(value, str) and value:
        return value
    raise WebhookError("missing_header", f"The header {name} is missing")


def _read_secret(secret: str) -> bytes:
    text = secret[6:] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key and base64.b64encode(key).decode() == text:
        return key
    raise WebhookError("invalid_secret", "The secret must be whsec_ and base64")


def _check_age(timestamp: str, tolerance_seconds: int) -> None:
    if re.fullmatch(r"[0-9]{1,12}", timestamp):
        if abs(time.time() - int(timestamp)) <= tolerance_seconds:
            return
    raise WebhookError("expired", "The call is older or newer than the tolerance allows")


def _read_event(event_id: str, raw: bytes) -> WebhookEvent:
    try:
        event = json.loads(raw.decode("utf-8"))
    except ValueError:
        event = None
    if isinstance(event, dict):
        kind, data = event.get("type"), event.get("data")
        if isinstance(kind, str) and isinstance(data, dict):
            return WebhookEvent(event_id, kind, str(event.get("timestamp", "")), data)
    raise WebhookError("invalid_body", "The body is not a JSON object with type and data")
