<?php

declare(strict_types=1);

namespace Zhiber;

/** Checks the calls of webhooks by the Standard Webhooks specification. */
final class Webhook
{
    /** A copied call is worthless after this time. */
    private const TOLERANCE_SECONDS = 300;

    /**
     * Returns the event, or throws `WebhookError`.
     *
     * @param string $rawBody the bytes as they came (`file_get_contents('php://input')`): parsed and
     *   written again, JSON differs
     * @param array<string, mixed> $headers `getallheaders()`, `$_SERVER`, or the headers of PSR-7
     */
    public static function verify(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string $secret,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): WebhookEvent {
        $named = self::nameHeaders($headers);
        $id = self::readHeader($named, 'webhook-id');
        $timestamp = self::readHeader($named, 'webhook-timestamp');
        $signatures = self::readHeader($named, 'webhook-signature');
        $mac = hash_hmac('sha256', "$id.$timestamp.$rawBody", self::readSecret($secret), true);
        $expected = 'v1,' . base64_encode($mac);
        // Several signatures come while a secret is being replaced.
        $matching = array_filter(
            explode(' ', $signatures),
            static fn (string $given): bool => hash_equals($expected, $given),
        );
        if ($matching === []) {
            throw new WebhookError('wrong_signature', 'No signature matches');
        }
        $isInTime = preg_match('~^\d{1,12}$~D', $timestamp) === 1
            && abs(time() - (int) $timestamp) <= $toleranceSeconds;
        if (!$isInTime) {
            throw new WebhookError('expired', 'The call is older or newer than the tolerance allows');
        }
        return self::readEvent($id, $rawBody);
    }

    /**
     * @param array<string, mixed> $headers
     * @return array<string, mixed> by lower-case name with dashes
     */
    private static function nameHeaders(array $headers): array
    {
        $named = [];
        foreach ($headers as $name => $value) {
            $plain = strtolower(strtr((string) $name, '_', '-'));
            $named[str_starts_with($plain, 'http-') ? substr($plain, 5) : $plain] = $value;
        }
        return $named;
    }

    /** @param array<string, mixed> $headers */
    private static function readHeader(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        $value = is_array($value) ? reset($value) : $value;
        if (is_string($value) && $value !== '') {
            return $value;
        }
        throw new WebhookError('missing_header', "The header $name is missing");
    }

    private static function readSecret(#[\SensitiveParameter] string $secret): string
    {
        $text = str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret;
        $key = base64_decode($text, true);
        if ($key !== false && $key !== '' && base64_encode($key) === $text) {
            return $key;
        }
        throw new WebhookError('invalid_secret', 'The secret must be whsec_ and base64');
    }

    private static function readEvent(string $id, string $rawBody): WebhookEvent
    {
        $event = json_decode($rawBody, true);
        // An empty JSON object and an empty list are the same to PHP; neither says anything.
        if (is_array($event) && is_string($event['type'] ?? null) && is_array($event['data'] ?? null)) {
            return new WebhookEvent($id, $event['type'], (string) ($event['timestamp'] ?? ''), $event['data']);
        }
        throw new WebhookError('invalid_body', 'The body is not a JSON object with type and data');
    }
}

/**
 * An event whose signature is right. `id` is the same when an event is delivered again: keep the ids
 * you have dealt with.
 */
final class WebhookEvent
{
    /** @param array<string, mixed> $data */
    public function __construct(
        public readonly string $id,
        public readonly string $type,
        public readonly string $timestamp,
        public readonly array $data,
    ) {
    }
}

/** A call that is not from the service, or is too old. Answer it with 400 and do nothing else. */
final class WebhookError extends \RuntimeException
{
    /**
     * @param string $errorCode `missing_header`, `invalid_secret`, `expired`, `wrong_signature` or
     *   `invalid_body`
     */
    public function __construct(public readonly string $errorCode, string $message)
    {
        parent::__construct($message);
    }
}
