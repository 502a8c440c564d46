<?php

/**
 * One field for the phone, then one field for the code.
 *
 * @var ?string $phone
 * @var bool $isSignedIn
 * @var string $error
 * @var int $waitSeconds
 */

$escape = static fn (?string $text): string => htmlspecialchars((string) $text, ENT_QUOTES);
?>
<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Вход</title>
<h1>Вход</h1>
<?php if ($error !== ''): ?>
<p role="alert"><?= $escape($error) ?></p>
<?php endif ?>
<?php if ($isSignedIn): ?>
<p>Вы вошли: <?= $escape($phone) ?></p>
<form method="post" action="/sign-out"><button>Выйти</button></form>
<?php elseif ($phone === null): ?>
<form method="post" action="/send">
<label>Телефон <input name="phone" type="tel" autocomplete="tel" required autofocus></label>
<button>Получить код</button>
</form>
<?php else: ?>
<form method="post" action="/verify">
<label>Код, отправленный на <?= $escape($phone) ?>
<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<button>Войти</button>
</form>
<form method="post" action="/send">
<input name="phone" type="hidden" value="<?= $escape($phone) ?>">
<button id="resend" data-seconds="<?= $waitSeconds ?>">Отправить ещё раз</button>
</form>
<form method="post" action="/sign-out"><button>Другой номер</button></form>
<script>
const button = document.getElementById('resend');
const text = button.textContent;
let seconds = Number(button.dataset.seconds);
const show = () => {
  button.disabled = seconds > 0;
  button.textContent = seconds > 0 ? text + ' через ' + seconds + ' с' : text;
  if (seconds-- > 0) setTimeout(show, 1000);
};
show();
</script>
<?php endif ?>
</html>
