<?php

/** Runs calls of the installed client: a JSON object a line in, a JSON object a line out. */

declare(strict_types=1);

require __DIR__ . '/vendor/autoload.php';

const OPERATIONS = [
    'send_code' => 'sendCode',
    'verify_code' => 'verifyCode',
    'shorten_link' => 'shortenLink',
    'send_link' => 'sendLink',
    'send_to_group' => 'sendToGroup',
    'health' => 'health',
];

function toCamel(array $fields): array
{
    $names = array_map(static fn ($name) => lcfirst(str_replace('_', '', ucwords($name, '_'))), array_keys($fields));
    return array_combine($names, $fields);
}

function toSnake(array $fields): array
{
    $names = array_map(static fn ($name) => strtolower(preg_replace('/[A-Z]/', '_$0', $name)), array_keys($fields));
    return array_combine($names, $fields);
}

function run(array $task): array
{
    if (isset($task['webhook'])) {
        ['body' => $body, 'headers' => $headers, 'secret' => $secret, 'tolerance_seconds' => $tolerance] = $task['webhook'];
        return get_object_vars(Zhiber\Webhook::verify(base64_decode($body), $headers, $secret, $tolerance));
    }
    $client = new Zhiber\Client(...toCamel($task['client']));
    return toSnake(get_object_vars($client->{OPERATIONS[$task['operation']]}(...toCamel($task['request'] ?? []))));
}

function describe(Throwable $error): array
{
    $told = ['class' => substr(strrchr('\\' . $error::class, '\\'), 1), 'message' => $error->getMessage()];
    if (!$error instanceof Zhiber\ZhiberError && !$error instanceof Zhiber\WebhookError) {
        return $told;
    }
    $fields = toSnake(get_object_vars($error));
    return $told + ['code' => $error->errorCode] + $fields;
}

while (($line = fgets(STDIN)) !== false) {
    $task = json_decode($line, true);
    try {
        $told = ['id' => $task['id'], 'result' => run($task)];
    } catch (Throwable $error) {
        $told = ['id' => $task['id'], 'error' => describe($error)];
    }
    echo json_encode($told, JSON_UNESCAPED_UNICODE), "\n";
}
