"""Client of the Zhiber API: one-time codes and short links over WhatsApp, Telegram and SMS."""

from .client import Health, SentCode, SentLink, SentToGroup, ShortLink, Verified, Zhiber
from .errors import (
    AuthenticationError,
    CodeError,
    ConnectionFailedError,
    DeliveryError,
    InsufficientTokensError,
    RateLimitError,
    UnavailableError,
    ValidationError,
    ZhiberError,
)
from .version import VERSION as __version__
from .webhook import WebhookError, WebhookEvent, verify_webhook

__all__ = [
    "AuthenticationError",
    "CodeError",
    "ConnectionFailedError",
    "DeliveryError",
    "Health",
    "InsufficientTokensError",
    "RateLimitError",
    "SentCode",
    "SentLink",
    "SentToGroup",
    "ShortLink",
    "UnavailableError",
    "ValidationError",
    "Verified",
    "WebhookError",
    "WebhookEvent",
    "Zhiber",
    "ZhiberError",
    "__version__",
    "verify_webhook",
]
