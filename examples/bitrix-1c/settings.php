<?php

/** Settings and the two small stores of the example. In 1C-Bitrix, tables of its database. */

declare(strict_types=1);

// Without Composer, as sites on 1C-Bitrix usually are: the folder of the client beside this file.
require __DIR__ . '/zhiber/autoload.php';

define('SHOP_TOKEN', (string) getenv('SHOP_TOKEN'));
define('WEBHOOK_SECRET', (string) getenv('ZHIBER_WEBHOOK_SECRET'));
define('NOTES', getenv('NOTES_FOLDER') ?: __DIR__ . '/notes');

if (SHOP_TOKEN === '') {
    throw new RuntimeException('SHOP_TOKEN is not set');
}

$zhiber = new Zhiber\Client((string) getenv('ZHIBER_KEY'), (string) getenv('ZHIBER_URL'));

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json; charset=utf-8');
    echo json_encode($body, JSON_UNESCAPED_UNICODE);
    exit;
}

function rememberMessage(?string $messageId, string $order): void
{
    if ($messageId !== null) {
        file_put_contents(NOTES . "/message-$messageId", $order);
    }
}

function orderOfMessage(string $messageId): ?string
{
    // The id becomes the name of a file.
    $isId = preg_match('~^[0-9a-f-]{36}$~D', $messageId) === 1;
    $order = $isId ? @file_get_contents(NOTES . "/message-$messageId") : false;
    return $order === false ? null : $order;
}

/** An event that is delivered again has the same id, and is noted once. */
function noteOnce(string $eventId, string $text): void
{
    $mark = @fopen(NOTES . '/event-' . hash('sha256', $eventId), 'x');
    if ($mark !== false) {
        file_put_contents(NOTES . '/orders.log', "$text\n", FILE_APPEND | LOCK_EX);
    }
}
