<?php

/** Start: ZHIBER_KEY=zk_test_… ZHIBER_URL=http://localhost:3000/api php -S 127.0.0.1:8080 -t public public/index.php */

declare(strict_types=1);

require __DIR__ . '/../vendor/autoload.php';
require_once __DIR__ . '/../src/SignInController.php';

session_start([
    'cookie_httponly' => true,
    // Forms of other sites come without the cookie.
    'cookie_samesite' => 'Lax',
    'cookie_secure' => ($_SERVER['HTTPS'] ?? '') === 'on',
    'use_strict_mode' => true,
]);

$zhiber = new Zhiber\Client((string) getenv('ZHIBER_KEY'), (string) getenv('ZHIBER_URL'));
$controller = new App\SignInController($zhiber);

$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match ($route) {
    'GET /' => $controller->show(),
    'POST /send' => $controller->send((string) ($_POST['phone'] ?? '')),
    'POST /verify' => $controller->verify((string) ($_POST['code'] ?? '')),
    'POST /sign-out' => $controller->signOut(),
    default => http_response_code(404),
};
