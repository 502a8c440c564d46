<?php

/**
 * Called by 1C:Enterprise (HTTPСоединение, POST, JSON) or from a handler of 1C-Bitrix when an order
 * changes. Sends the customer a link to the order, or a code that confirms its handing over.
 *
 *     POST /order-event.php
 *     Authorization: Bearer SHOP_TOKEN
 *     {"event": "ready", "order": "0000-000042", "phone": "+77011234567", "url": "https://shop.kz/o/42"}
 */

declare(strict_types=1);

require __DIR__ . '/settings.php';

use Zhiber\CodeError;
use Zhiber\RateLimitError;
use Zhiber\ZhiberError;

if (!hash_equals('Bearer ' . SHOP_TOKEN, $_SERVER['HTTP_AUTHORIZATION'] ?? '')) {
    answer(401, ['ok' => false, 'error' => 'wrong token']);
}
$event = json_decode((string) file_get_contents('php://input'), true);
$kind = (string) ($event['event'] ?? '');
$order = (string) ($event['order'] ?? '');
$phone = (string) ($event['phone'] ?? '');
if ($order === '' || $phone === '') {
    answer(400, ['ok' => false, 'error' => 'order and phone are required']);
}

try {
    // 1C repeats a call that it did not see answered. With the number of the order in the key, the
    // customer gets one message, however often it is repeated within a day.
    $key = "order $order $kind";
    $done = match ($kind) {
        'ready' => $zhiber->sendLink(
            $phone,
            (string) ($event['url'] ?? ''),
            text: 'Ваш заказ готов: :link',
            idempotencyKey: $key,
        ),
        'hand-over' => $zhiber->sendCode($phone, purpose: "order $order"),
        'handed-over' => $zhiber->verifyCode($phone, (string) ($event['code'] ?? ''), purpose: "order $order"),
        default => answer(400, ['ok' => false, 'error' => 'unknown event']),
    };
    rememberMessage($done->messageId ?? null, $order);
    answer(200, ['ok' => true, 'message' => $done->message]);
} catch (CodeError | RateLimitError $error) {
    // For the one who stands at the till.
    answer(422, [
        'ok' => false,
        'error' => $error->getMessage(),
        'attempts_left' => $error->attemptsLeft,
        'retry_after' => $error->retryAfter,
    ]);
} catch (ZhiberError $error) {
    error_log("order $order: $error->errorCode $error->requestId");
    answer(503, ['ok' => false, 'error' => $error->getMessage(), 'code' => $error->errorCode]);
}
