<?php

declare(strict_types=1);

namespace Zhiber;

/** Sends codes and links. A call returns when it has succeeded, and throws `ZhiberError` otherwise. */
final class Client
{
    public const VERSION = '0.1.0';

    /** Without a hint of the server: half a second at most, then twice as long each time. */
    private const BACKOFF_SECONDS = 0.5;
    private const BACKOFF_SECONDS_MAX = 4.0;
    /** Callers that were told the same second do not come back in the same millisecond. */
    private const SPREAD_SECONDS = 0.25;

    /**
     * Limits of a recipient or of a budget, not of the caller. Whether to wait is for the
     * application: it tells the person, and is not to hold a request open for them.
     */
    private const LIMITS_TO_REPORT = [
        'send_rate_limited',
        'daily_limit_reached',
        'too_many_attempts',
        'spend_cap_reached',
    ];

    private readonly Transport $transport;
    private readonly string $baseUrl;

    /**
     * @param string $apiKey `zk_live_…` or `zk_test_…`; it belongs on a server
     * @param string $baseUrl the root of the API, such as `https://zhiber.kz/api`
     * @param float $timeout seconds for one attempt; the server itself may try channels for ten
     * @param float $deadline seconds for a whole call: its attempts and the waits between them
     * @param int $retriesMax how often a call is repeated when that is safe
     * @param float $maxRetryWait a longer `Retry-After` is not waited for; it is in `retryAfter`
     * @param ?string $origin `https://your-domain`, for a key that is bound to a domain
     */
    public function __construct(
        #[\SensitiveParameter] private readonly string $apiKey,
        string $baseUrl,
        private readonly float $timeout = 15.0,
        private readonly float $deadline = 30.0,
        private readonly int $retriesMax = 2,
        private readonly float $maxRetryWait = 10.0,
        private readonly ?string $origin = null,
    ) {
        self::checkHeaderValue('apiKey', $apiKey);
        if ($origin !== null) {
            self::checkHeaderValue('origin', $origin);
        }
        if (preg_match('~^https?://[^/?#\s]+[^?#\s]*$~D', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl must be the http or https address of the API, such as …/api');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->transport = new Transport();
    }

    /** Without the key, which would end up in logs. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** Sends a code to a phone. */
    public function sendCode(
        string $phone,
        ?string $purpose = null,
        ?string $channel = null,
        ?string $link = null,
        ?string $idempotencyKey = null,
    ): SentCode {
        $body = ['phone' => $phone, 'purpose' => $purpose, 'channel' => $channel, 'link' => $link];
        $answer = $this->call('POST', '/otp/send', $body, $idempotencyKey);
        return new SentCode(
            $answer['message'],
            $answer['channel'],
            $answer['message_id'],
            $answer['cost'],
            $answer['balance'],
            $answer['expires_in'],
            $answer['short_url'] ?? null,
        );
    }

    /**
     * Returns only when the code is right. Everything else throws, a wrong code `CodeError`: a
     * returned object would be true in every `if`, and let anybody in.
     */
    public function verifyCode(
        string $phone,
        string $code,
        ?string $purpose = null,
        ?string $idempotencyKey = null,
    ): Verified {
        $body = ['phone' => $phone, 'code' => $code, 'purpose' => $purpose];
        return new Verified($this->call('POST', '/otp/verify', $body, $idempotencyKey)['message']);
    }

    /** Shortens a link and sends nothing. */
    public function shortenLink(
        string $url,
        ?string $alias = null,
        ?int $expiresIn = null,
        ?string $idempotencyKey = null,
    ): ShortLink {
        $body = ['url' => $url, 'alias' => $alias, 'expires_in' => $expiresIn];
        $answer = $this->call('POST', '/links/shorten', $body, $idempotencyKey);
        return new ShortLink($answer['message'], $answer['short_url'], $answer['expires_in'] ?? null);
    }

    /** Shortens a link and sends it to a phone. */
    public function sendLink(
        string $phone,
        string $url,
        string $channel = 'auto',
        ?string $text = null,
        ?string $idempotencyKey = null,
    ): SentLink {
        $body = ['phone' => $phone, 'url' => $url, 'channel' => $channel, 'text' => $text];
        $answer = $this->call('POST', '/links/send', $body, $idempotencyKey);
        return new SentLink(
            $answer['message'],
            $answer['channel'],
            $answer['message_id'],
            $answer['cost'],
            $answer['balance'],
            $answer['short_url'],
            $answer['expires_in'],
        );
    }

    /** Writes to a messenger group that the company has linked. */
    public function sendToGroup(
        string $group,
        string $text,
        ?string $channel = null,
        ?string $link = null,
        ?string $idempotencyKey = null,
    ): SentToGroup {
        $body = ['group' => $group, 'text' => $text, 'channel' => $channel, 'link' => $link];
        $answer = $this->call('POST', '/group/send', $body, $idempotencyKey);
        return new SentToGroup(
            $answer['message'],
            $answer['channel'],
            $answer['message_id'],
            $answer['cost'],
            $answer['balance'],
            $answer['short_url'] ?? null,
            $answer['expires_in'] ?? null,
        );
    }

    /** Returns when the service works, and throws `UnavailableError` when it does not. */
    public function health(): Health
    {
        $answer = $this->call('GET', '/health');
        return new Health($answer['message'], $answer['status'], $answer['version'], $answer['time']);
    }

    /**
     * Calls the API until there is an answer that counts. Every attempt carries the same
     * Idempotency-Key, so the server does the work once, however often it is asked.
     *
     * @param ?array<string, mixed> $body
     * @return array<string, mixed>
     */
    private function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
    {
        $headers = $this->createHeaders($method, $idempotencyKey);
        $payload = $body === null ? null : self::toJson($body);
        $deadline = self::now() + $this->deadline;
        for ($retries = 0; ; $retries++) {
            try {
                $timeout = max(0.001, min($this->timeout, $deadline - self::now()));
                return $this->attempt($method, $path, $headers, $payload, $timeout);
            } catch (ZhiberError $error) {
                $hint = $error->retryAfter;
                $wait = $hint === null ? self::backoff($retries) : self::spread($hint);
                $isLast = !self::isRetryable($error)
                    || $retries >= $this->retriesMax
                    || ($hint ?? 0) > $this->maxRetryWait
                    || self::now() + $wait >= $deadline;
                if ($isLast) {
                    throw $error;
                }
            }
            usleep((int) ($wait * 1_000_000));
        }
    }

    /** @return list<string> */
    private function createHeaders(string $method, ?string $idempotencyKey): array
    {
        $headers = ['Accept: application/json', 'User-Agent: zhiber-php/' . self::VERSION];
        if ($method === 'GET') {
            return $headers;
        }
        if ($idempotencyKey !== null && preg_match('~^[\x20-\x7e]{1,255}$~D', $idempotencyKey) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 255 printable ASCII characters');
        }
        $headers[] = "Authorization: Bearer $this->apiKey";
        $headers[] = 'Content-Type: application/json';
        $headers[] = 'Idempotency-Key: ' . ($idempotencyKey ?? self::newUuid());
        if ($this->origin !== null) {
            $headers[] = "Origin: $this->origin";
        }
        return $headers;
    }

    /**
     * Success is status 200 and `success: true` together; anything else fails closed.
     *
     * @param list<string> $headers
     * @return array<string, mixed>
     */
    private function attempt(string $method, string $path, array $headers, ?string $payload, float $timeout): array
    {
        $answer = $this->transport->request($method, $this->baseUrl . $path, $headers, $payload, $timeout);
        $status = $answer['status'];
        $body = json_decode($answer['text'], true);
        $body = is_array($body) ? $body : [];
        if ($status === 200 && ($body['success'] ?? null) === true) {
            return $body;
        }
        $hint = $answer['headers']['retry-after'] ?? '';
        $retryAfter = preg_match('~^\d{1,9}$~D', $hint) === 1 ? (int) $hint : null;
        $requestId = $answer['headers']['x-request-id'] ?? $body['request_id'] ?? null;
        $code = $body['error_code'] ?? null;
        if (($body['success'] ?? null) !== false || !is_string($code)) {
            $message = "Ответ $status пришёл не от API: проверьте baseUrl и прокси";
            throw new UnavailableError($message, 'unexpected_answer', $status, $retryAfter, $requestId);
        }
        $told = $body['retry_after'] ?? null;
        $class = ZhiberError::classOf($code, $status);
        throw new $class(
            message: (string) ($body['message'] ?? ''),
            errorCode: $code,
            status: $status,
            retryAfter: is_int($told) && $told >= 0 ? $told : $retryAfter,
            requestId: $requestId,
            attemptsLeft: $body['attempts_left'] ?? null,
            errors: $body['errors'] ?? null,
            required: $body['required'] ?? null,
            balance: $body['balance'] ?? null,
            messageId: $body['message_id'] ?? null,
            docsUrl: $body['docs_url'] ?? null,
        );
    }

    private static function isRetryable(ZhiberError $error): bool
    {
        return match (true) {
            $error instanceof ConnectionFailedError => true,
            // A gateway in front of the service may be asked again; whatever else answered is not the API.
            $error->errorCode === 'unexpected_answer' => in_array($error->status, [502, 503, 504], true),
            $error->errorCode === 'request_in_progress' => true,
            $error->status === 429 => !in_array($error->errorCode, self::LIMITS_TO_REPORT, true),
            default => $error->status === 503,
        };
    }

    /** @param array<string, mixed> $body */
    private static function toJson(array $body): string
    {
        $given = array_filter($body, static fn (mixed $value): bool => $value !== null);
        return json_encode($given, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES);
    }

    private static function newUuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }

    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    private static function backoff(int $retries): float
    {
        $full = min(self::BACKOFF_SECONDS * 2 ** $retries, self::BACKOFF_SECONDS_MAX);
        return $full * (0.5 + mt_rand() / mt_getrandmax() / 2);
    }

    private static function spread(int $seconds): float
    {
        return $seconds + mt_rand() / mt_getrandmax() * self::SPREAD_SECONDS;
    }

    private static function checkHeaderValue(string $name, #[\SensitiveParameter] string $value): void
    {
        if (preg_match('~^[\x21-\x7e]+$~D', $value) !== 1) {
            throw new \InvalidArgumentException("$name must be printable ASCII characters without spaces");
        }
    }
}
