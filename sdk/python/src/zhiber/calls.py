"""Calls the API until there is an answer that counts."""

from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, Optional

from .errors import ConnectionFailedError, UnavailableError, ZhiberError, error_class
from .version import VERSION

# Without a hint of the server: half a second at most, then twice as long each time.
_BACKOFF_SECONDS = 0.5
_BACKOFF_SECONDS_MAX = 4.0
# Callers that were told the same second do not come back in the same millisecond.
_SPREAD_SECONDS = 0.25
# Answers are a few hundred bytes.
_ANSWER_BYTES_MAX = 1024 * 1024

# Limits of a recipient or of a budget, not of the caller. Whether to wait is for the application:
# it tells the person, and is not to hold a request open for them.
_LIMITS_TO_REPORT = {
    "send_rate_limited",
    "daily_limit_reached",
    "too_many_attempts",
    "spend_cap_reached",
}

Json = Dict[str, Any]


@dataclass(frozen=True)
class Settings:
    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    deadline: float
    retries_max: int
    max_retry_wait: float
    origin: Optional[str]


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to an address that nobody has set."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _Failure(Exception):
    """What one attempt came to, and whether and when another one makes sense."""

    def __init__(self, error: ZhiberError, is_retryable: bool) -> None:
        self.error = error
        self.is_retryable = is_retryable
        self.wait = None if error.retry_after is None else float(error.retry_after)


# Without state of its own, so threads may share it.
_opener = urllib.request.build_opener(_NoRedirect())


def call_api(
    settings: Settings,
    method: str,
    path: str,
    body: Optional[Json] = None,
    idempotency_key: Optional[str] = None,
) -> Json:
    """Every attempt carries the same Idempotency-Key, so the server does the work once, however
    often it is asked."""
    headers = _headers(settings, method, idempotency_key)
    payload = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8")
    url = settings.base_url + path
    deadline = time.monotonic() + settings.deadline
    retries = 0
    while True:
        timeout = min(settings.timeout, deadline - time.monotonic())
        request = urllib.request.Request(url, data=payload, headers=headers, method=method)
        try:
            return _attempt(request, max(timeout, 0.001))
        except _Failure as failure:
            wait = _backoff(retries) if failure.wait is None else _spread(failure.wait)
            is_last = (
                not failure.is_retryable
                or retries >= settings.retries_max
                or (failure.wait or 0) > settings.max_retry_wait
                or time.monotonic() + wait >= deadline
            )
            if is_last:
                raise failure.error from failure.__cause__
        time.sleep(wait)
        retries += 1


def _headers(settings: Settings, method: str, own_key: Optional[str]) -> Dict[str, str]:
    headers = {"Accept": "application/json", "User-Agent": f"zhiber-python/{VERSION}"}
    if method == "GET":
        return headers
    if own_key is not None and not re.fullmatch(r"[\x20-\x7e]{1,255}", own_key):
        raise ValueError("idempotency_key must be 1 to 255 printable ASCII characters")
    headers["Authorization"] = f"Bearer {settings.api_key}"
    headers["Content-Type"] = "application/json"
    headers["Idempotency-Key"] = own_key if own_key is not None else str(uuid.uuid4())
    if settings.origin is not None:
        headers["Origin"] = settings.origin
    return headers


def _attempt(request: urllib.request.Request, timeout: float) -> Json:
    try:
        try:
            response = _opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            text = response.read(_ANSWER_BYTES_MAX + 1)
            # A read with a limit does not notice that the connection broke off.
            if len(text) < min(_number(response.headers, "Content-Length") or 0, _ANSWER_BYTES_MAX):
                raise http.client.IncompleteRead(text)
            return _judge(response.status or 0, response.headers, text)
    except (OSError, http.client.HTTPException) as cause:
        reason = getattr(cause, "reason", cause)
        if isinstance(reason, TimeoutError) or "timed out" in str(reason):
            error = ConnectionFailedError("Сервис не ответил вовремя", code="timeout")
        else:
            error = ConnectionFailedError("Нет связи с сервисом", code="connection_failed")
        raise _Failure(error, True) from cause


def _judge(status: int, headers: Any, text: bytes) -> Json:
    """Success is status 200 and `success: true` together; anything else fails closed."""
    body = _parse(text)
    if status == 200 and body.get("success") is True:
        return body
    retry_after = _number(headers, "Retry-After")
    request_id = headers.get("X-Request-Id")
    code = body.get("error_code")
    if body.get("success") is not False or not isinstance(code, str):
        raise _judge_foreign(status, request_id, retry_after)
    told = body.get("retry_after")
    error = error_class(code, status)(
        str(body.get("message")),
        code=code,
        status=status,
        retry_after=told if isinstance(told, int) and told >= 0 else retry_after,
        request_id=request_id or body.get("request_id"),
        attempts_left=body.get("attempts_left"),
        errors=body.get("errors"),
        required=body.get("required"),
        balance=body.get("balance"),
        message_id=body.get("message_id"),
        docs_url=body.get("docs_url"),
    )
    is_retryable = (
        status == 503
        or code == "request_in_progress"
        or (status == 429 and code not in _LIMITS_TO_REPORT)
    )
    raise _Failure(error, is_retryable)


def _judge_foreign(status: int, request_id: Optional[str], retry_after: Optional[int]) -> _Failure:
    """A gateway in front of the service may be asked again; whatever else answered is not the API."""
    error = UnavailableError(
        f"Ответ {status} пришёл не от API: проверьте base_url и прокси",
        code="unexpected_answer",
        status=status,
        request_id=request_id,
        retry_after=retry_after,
    )
    return _Failure(error, status in (502, 503, 504))


def _number(headers: Any, name: str) -> Optional[int]:
    value = headers.get(name) or ""
    return int(value) if re.fullmatch(r"[0-9]{1,9}", value) else None


def _parse(text: bytes) -> Json:
    if len(text) > _ANSWER_BYTES_MAX:
        return {}
    try:
        body = json.loads(text)
    except ValueError:
        # A page of a proxy, or of something that is not the API.
        return {}
    return body if isinstance(body, dict) else {}


def _backoff(retries: int) -> float:
    full = min(_BACKOFF_SECONDS * 2**retries, _BACKOFF_SECONDS_MAX)
    return full * (0.5 + random.random() / 2)


def _spread(wait: float) -> float:
    return wait + random.random() * _SPREAD_SECONDS
