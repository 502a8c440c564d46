<?php

declare(strict_types=1);

namespace Zhiber;

/** A call that did not succeed. The message is Russian and, for codes and limits, fit for people. */
class ZhiberError extends \RuntimeException
{
    /**
     * @param string $errorCode the code of the catalogue at /docs/errors; `connection_failed`,
     *   `timeout` or `unexpected_answer` when the API did not answer
     * @param ?int $status the HTTP status; null when there was no answer
     * @param ?int $retryAfter seconds after which the call may succeed
     * @param ?string $requestId names the call in the cabinet and for support
     * @param ?int $attemptsLeft how many guesses are left after a wrong code
     * @param ?array<string, list<string>> $errors what is wrong, by field
     * @param ?int $required tokens that the send needs
     * @param ?int $balance tokens that there are
     * @param ?string $messageId the message whose delivery failed
     * @param ?string $docsUrl the page that says what to do
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly ?int $status = null,
        public readonly ?int $retryAfter = null,
        public readonly ?string $requestId = null,
        public readonly ?int $attemptsLeft = null,
        public readonly ?array $errors = null,
        public readonly ?int $required = null,
        public readonly ?int $balance = null,
        public readonly ?string $messageId = null,
        public readonly ?string $docsUrl = null,
    ) {
        parent::__construct($message);
    }

    /** The class of an answer. A code that this version does not know gets that of its status. */
    public static function classOf(string $errorCode, int $status): string
    {
        return match ($errorCode) {
            'invalid_code', 'code_expired', 'code_already_used', 'code_not_found' => CodeError::class,
            'blocked_by_fraud_guard', 'delivery_failed', 'delivery_unconfirmed' => DeliveryError::class,
            'request_in_progress' => UnavailableError::class,
            default => match (true) {
                $status === 401, $status === 403 => AuthenticationError::class,
                $status === 402 => InsufficientTokensError::class,
                $status === 429 => RateLimitError::class,
                $status >= 400 && $status < 500 => ValidationError::class,
                default => UnavailableError::class,
            },
        };
    }
}

/** The key is missing, wrong, revoked, or not allowed from this origin. */
final class AuthenticationError extends ZhiberError
{
}

/** The request is wrong; sent again unchanged it fails again. */
final class ValidationError extends ZhiberError
{
}

/** The code of the person is wrong, expired, used, or was never sent. */
final class CodeError extends ZhiberError
{
}

/** A limit is reached; `retryAfter` says for how long. */
final class RateLimitError extends ZhiberError
{
}

/** The balance is too low; see `required` and `balance`. */
final class InsufficientTokensError extends ZhiberError
{
}

/** No channel took the message, or none confirmed it. Nothing was charged. */
final class DeliveryError extends ZhiberError
{
}

/** The service cannot answer now, or something else answered in its place. */
final class UnavailableError extends ZhiberError
{
}

/** There was no answer: the connection failed or took too long. */
final class ConnectionFailedError extends ZhiberError
{
}
