<?php

declare(strict_types=1);

namespace App;

use Zhiber\Client;
use Zhiber\CodeError;
use Zhiber\RateLimitError;
use Zhiber\ZhiberError;

final class SignInController
{
    private const PURPOSE = 'login';
    /** A phone gets one code a minute. */
    private const RESEND_SECONDS = 60;

    public function __construct(private readonly Client $zhiber)
    {
    }

    public function show(string $error = '', int $status = 200): void
    {
        http_response_code($status);
        $phone = $_SESSION['phone'] ?? null;
        $isSignedIn = $_SESSION['isSignedIn'] ?? false;
        $waitSeconds = max(0, ($_SESSION['resendAt'] ?? 0) - time());
        require __DIR__ . '/sign-in-page.php';
    }

    public function send(string $phone): void
    {
        try {
            $this->zhiber->sendCode($phone, purpose: self::PURPOSE);
            $_SESSION = ['phone' => $phone, 'resendAt' => time() + self::RESEND_SECONDS];
            $this->redirect();
        } catch (RateLimitError $error) {
            // A code is on its way already: the person may enter it.
            $_SESSION = ['phone' => $phone, 'resendAt' => time() + (int) $error->retryAfter];
            $this->showError($error);
        } catch (ZhiberError $error) {
            $this->showError($error);
        }
    }

    public function verify(string $code): void
    {
        $phone = $_SESSION['phone'] ?? null;
        if ($phone === null) {
            $this->redirect();
            return;
        }
        try {
            // Returns only when the code is right.
            $this->zhiber->verifyCode($phone, $code, purpose: self::PURPOSE);
        } catch (ZhiberError $error) {
            $this->showError($error);
            return;
        }
        // A new id: whoever knew the old one is not signed in with it.
        session_regenerate_id(true);
        $_SESSION = ['phone' => $phone, 'isSignedIn' => true];
        $this->redirect();
    }

    public function signOut(): void
    {
        $_SESSION = [];
        session_regenerate_id(true);
        $this->redirect();
    }

    /** Errors of the person are shown in the words of the API; the others are for the log. */
    private function showError(ZhiberError $error): void
    {
        $isOfPerson = $error instanceof CodeError
            || $error instanceof RateLimitError
            || $error->errorCode === 'invalid_phone';
        if (!$isOfPerson) {
            error_log((string) $error);
            $this->show('Не получилось. Попробуйте позже.', 503);
            return;
        }
        $text = $error->getMessage() . '.';
        if ($error->attemptsLeft !== null) {
            $text .= " Осталось попыток: $error->attemptsLeft.";
        }
        if ($error->retryAfter > 0) {
            $text .= " Подождите $error->retryAfter с.";
        }
        $this->show($text, 422);
    }

    private function redirect(): void
    {
        header('Location: /', true, 303);
    }
}
