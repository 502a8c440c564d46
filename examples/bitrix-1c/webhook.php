<?php

/**
 * The address of the webhook in the cabinet. Notes for each order what became of its message.
 * Answers at once: a call that takes longer than ten seconds is repeated.
 */

declare(strict_types=1);

require __DIR__ . '/settings.php';

use Zhiber\Webhook;
use Zhiber\WebhookError;

try {
    // The bytes as they came: parsed and written again, the signature would not match.
    $event = Webhook::verify((string) file_get_contents('php://input'), $_SERVER, WEBHOOK_SECRET);
} catch (WebhookError $error) {
    answer(400, ['ok' => false, 'error' => $error->errorCode]);
}

if (str_starts_with($event->type, 'message.')) {
    // In 1C-Bitrix: CSaleOrder::Update($order, ['COMMENTS' => …]).
    $order = orderOfMessage((string) ($event->data['message_id'] ?? ''));
    if ($order !== null) {
        noteOnce($event->id, "$order $event->type");
    }
}
answer(200, ['ok' => true]);
