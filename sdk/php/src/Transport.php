<?php

declare(strict_types=1);

namespace Zhiber;

/**
 * One HTTP request: by curl, which keeps the connection, or by PHP's own streams where that
 * extension is missing.
 *
 * @internal
 */
final class Transport
{
    /** Answers are a few hundred bytes. */
    private const ANSWER_BYTES_MAX = 1024 * 1024;

    private ?\CurlHandle $curl = null;

    /**
     * @param list<string> $headers
     * @return array{status: int, headers: array<string, string>, text: string}
     * @throws ConnectionFailedError
     */
    public function request(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        return function_exists('curl_init')
            ? $this->byCurl($method, $url, $headers, $body, $timeout)
            : $this->byStream($method, $url, $headers, $body, $timeout);
    }

    /**
     * @param list<string> $headers
     * @return array{status: int, headers: array<string, string>, text: string}
     */
    private function byCurl(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $this->curl ??= curl_init();
        curl_reset($this->curl);
        $lines = [];
        $text = '';
        curl_setopt_array($this->curl, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            // An empty Expect spares a round trip before the body.
            CURLOPT_HTTPHEADER => [...$headers, 'Expect:'],
            CURLOPT_TIMEOUT_MS => (int) ceil($timeout * 1000),
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil($timeout * 1000),
            // Without it, time-outs below a second end at once on some systems.
            CURLOPT_NOSIGNAL => true,
            // A redirect would carry the key to an address that nobody has set.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$lines): int {
                $lines[] = $line;
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($_, string $part) use (&$text): int {
                $text .= $part;
                return strlen($text) > self::ANSWER_BYTES_MAX ? 0 : strlen($part);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $body);
        }
        $isDone = curl_exec($this->curl);
        if ($isDone === false && curl_errno($this->curl) !== CURLE_WRITE_ERROR) {
            throw self::failure(curl_errno($this->curl) === CURLE_OPERATION_TIMEOUTED);
        }
        $status = (int) curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE);
        return ['status' => $status, 'headers' => self::readHeaders($lines), 'text' => $text];
    }

    /**
     * @param list<string> $headers
     * @return array{status: int, headers: array<string, string>, text: string}
     */
    private function byStream(string $method, string $url, array $headers, ?string $body, float $timeout): array
    {
        $startedAt = microtime(true);
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...$headers, 'Connection: close'],
            'content' => $body ?? '',
            'timeout' => $timeout,
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ]]);
        $stream = @fopen($url, 'r', false, $context);
        $text = $stream === false ? false : stream_get_contents($stream, self::ANSWER_BYTES_MAX + 1);
        $isTimedOut = $stream !== false && stream_get_meta_data($stream)['timed_out'];
        $lines = $stream === false ? [] : stream_get_meta_data($stream)['wrapper_data'];
        if ($stream !== false) {
            fclose($stream);
        }
        if ($text === false || $isTimedOut || preg_match('~^HTTP/\S+ (\d{3})~', $lines[0] ?? '', $found) !== 1) {
            // A stream that could not be opened does not say why; its timer may be a little early.
            throw self::failure($isTimedOut || microtime(true) - $startedAt >= $timeout - 0.05);
        }
        $read = self::readHeaders($lines);
        // A stream that ended early looks like a short answer.
        if (isset($read['content-length']) && strlen($text) < (int) $read['content-length']) {
            throw self::failure(false);
        }
        return ['status' => (int) $found[1], 'headers' => $read, 'text' => $text];
    }

    private static function failure(bool $isTimeout): ConnectionFailedError
    {
        return $isTimeout
            ? new ConnectionFailedError('Сервис не ответил вовремя', 'timeout')
            : new ConnectionFailedError('Нет связи с сервисом', 'connection_failed');
    }

    /**
     * @param list<string> $lines
     * @return array<string, string> by lower-case name
     */
    private static function readHeaders(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = [...explode(':', $line, 2), ''];
            $headers[strtolower(trim($name))] = trim($value);
        }
        return $headers;
    }
}
