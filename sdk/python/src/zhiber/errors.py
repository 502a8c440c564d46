"""The errors of calls. `str(error)` is Russian and, for codes and limits, fit for people."""

from __future__ import annotations

from typing import Dict, List, Optional, Type


class ZhiberError(Exception):
    """A call that did not succeed."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: Optional[int] = None,
        retry_after: Optional[int] = None,
        request_id: Optional[str] = None,
        attempts_left: Optional[int] = None,
        errors: Optional[Dict[str, List[str]]] = None,
        required: Optional[int] = None,
        balance: Optional[int] = None,
        message_id: Optional[str] = None,
        docs_url: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The code of the catalogue at /docs/errors; `connection_failed`, `timeout` or
        #: `unexpected_answer` when the API did not answer.
        self.code = code
        #: The HTTP status; None when there was no answer.
        self.status = status
        #: Seconds after which the call may succeed.
        self.retry_after = retry_after
        #: Names the call in the cabinet and for support.
        self.request_id = request_id
        #: How many guesses are left after a wrong code.
        self.attempts_left = attempts_left
        #: What is wrong, by field.
        self.errors = errors
        #: Tokens that the send needs, and tokens that there are.
        self.required = required
        self.balance = balance
        #: The message whose delivery failed.
        self.message_id = message_id
        #: The page that says what to do.
        self.docs_url = docs_url


class AuthenticationError(ZhiberError):
    """The key is missing, wrong, revoked, or not allowed from this origin."""


class ValidationError(ZhiberError):
    """The request is wrong; sent again unchanged it fails again."""


class CodeError(ZhiberError):
    """The code of the person is wrong, expired, used, or was never sent."""


class RateLimitError(ZhiberError):
    """A limit is reached; `retry_after` says for how long."""


class InsufficientTokensError(ZhiberError):
    """The balance is too low; see `required` and `balance`."""


class DeliveryError(ZhiberError):
    """No channel took the message, or none confirmed it. Nothing was charged."""


class UnavailableError(ZhiberError):
    """The service cannot answer now, or something else answered in its place."""


class ConnectionFailedError(ZhiberError):
    """There was no answer: the connection failed or took too long."""


# Codes whose status alone does not say the family.
_CLASS_BY_CODE: Dict[str, Type[ZhiberError]] = {
    "invalid_code": CodeError,
    "code_expired": CodeError,
    "code_already_used": CodeError,
    "code_not_found": CodeError,
    "blocked_by_fraud_guard": DeliveryError,
    "delivery_failed": DeliveryError,
    "delivery_unconfirmed": DeliveryError,
    "request_in_progress": UnavailableError,
}

_CLASS_BY_STATUS: Dict[int, Type[ZhiberError]] = {
    401: AuthenticationError,
    402: InsufficientTokensError,
    403: AuthenticationError,
    429: RateLimitError,
}


def error_class(code: str, status: int) -> Type[ZhiberError]:
    """The class of an answer. A code that this version does not know gets that of its status."""
    by_range = ValidationError if 400 <= status < 500 else UnavailableError
    return _CLASS_BY_CODE.get(code) or _CLASS_BY_STATUS.get(status) or by_range
