<?php

declare(strict_types=1);

namespace Zhiber;

/** A code on its way. The code itself is never in the answer. */
final class SentCode
{
    public function __construct(
        public readonly string $message,
        public readonly string $channel,
        public readonly string $messageId,
        /** Tokens charged, and tokens left. */
        public readonly int $cost,
        public readonly int $balance,
        /** Seconds for which the code is valid. */
        public readonly int $expiresIn,
        public readonly ?string $shortUrl,
    ) {
    }
}

final class Verified
{
    public function __construct(public readonly string $message)
    {
    }
}

final class ShortLink
{
    public function __construct(
        public readonly string $message,
        public readonly string $shortUrl,
        /** Seconds until the link ends; null when it does not. */
        public readonly ?int $expiresIn,
    ) {
    }
}

final class SentLink
{
    public function __construct(
        public readonly string $message,
        public readonly string $channel,
        public readonly string $messageId,
        public readonly int $cost,
        public readonly int $balance,
        public readonly string $shortUrl,
        public readonly int $expiresIn,
    ) {
    }
}

final class SentToGroup
{
    public function __construct(
        public readonly string $message,
        public readonly string $channel,
        public readonly string $messageId,
        public readonly int $cost,
        public readonly int $balance,
        public readonly ?string $shortUrl,
        public readonly ?int $expiresIn,
    ) {
    }
}

final class Health
{
    public function __construct(
        public readonly string $message,
        public readonly string $status,
        public readonly string $version,
        public readonly string $time,
    ) {
    }
}
