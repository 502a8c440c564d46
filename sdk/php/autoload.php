<?php

declare(strict_types=1);

/**
 * Loads the classes of the client, with Composer and without it:
 * `require 'path/to/zhiber/autoload.php';`.
 */
spl_autoload_register(static function (string $class): void {
    if (!str_starts_with($class, 'Zhiber\\')) {
        return;
    }
    $name = substr($class, strlen('Zhiber\\'));
    // The errors, and the answers, are a few lines each and share a file.
    $file = match (true) {
        $name === 'WebhookError', $name === 'WebhookEvent' => 'Webhook',
        str_ends_with($name, 'Error') => 'Errors',
        in_array($name, ['SentCode', 'Verified', 'ShortLink', 'SentLink', 'SentToGroup', 'Health'], true) => 'Answers',
        default => $name,
    };
    $path = __DIR__ . "/src/$file.php";
    if (is_file($path)) {
        require_once $path;
    }
});
