/** The page: one field for the phone, then one field for the code. */
import { CodeError, RateLimitError, ZhiberError } from '@zhiber/sdk';
import { type Session, toCookie } from './session.ts';

export function showPage(session: Session, error = '', status = 200): Response {
  const form = session.isSignedIn
    ? `<p>Вы вошли: ${escapeHtml(session.phone ?? '')}</p>${outForm('Выйти')}`
    : session.phone
      ? codeForm(session.phone, secondsUntil(session.resendAt))
      : PHONE_FORM;
  const html = `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Вход</title>
<h1>Вход</h1>
${error && `<p role="alert">${escapeHtml(error)}</p>`}
${form}
</html>`;
  return new Response(html, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'set-cookie': toCookie(session) },
  });
}

/** Errors of the person are shown in the words of the API; the others are for the log. */
export function showError(session: Session, error: unknown): Response {
  const isOfPerson =
    error instanceof CodeError ||
    error instanceof RateLimitError ||
    (error instanceof ZhiberError && error.code === 'invalid_phone');
  if (!isOfPerson) {
    console.error(error);
    return showPage(session, 'Не получилось. Попробуйте позже.', 503);
  }
  const { attemptsLeft, retryAfter = 0 } = error;
  const left = attemptsLeft === undefined ? '' : ` Осталось попыток: ${attemptsLeft}.`;
  const wait = retryAfter > 0 ? ` Подождите ${retryAfter} с.` : '';
  return showPage(session, `${error.message}.${left}${wait}`, 422);
}

const PHONE_FORM = `<form method="post" action="/sign-in/send">
<label>Телефон <input name="phone" type="tel" autocomplete="tel" required autofocus></label>
<button>Получить код</button>
</form>`;

function codeForm(phone: string, waitSeconds: number): string {
  return `<form method="post" action="/sign-in/verify">
<label>Код, отправленный на ${escapeHtml(phone)}
<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<button>Войти</button>
</form>
<form method="post" action="/sign-in/send">
<input name="phone" type="hidden" value="${escapeHtml(phone)}">
<button id="resend" data-seconds="${waitSeconds}">Отправить ещё раз</button>
</form>
${outForm('Другой номер')}
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
</script>`;
}

function outForm(text: string): string {
  return `<form method="post" action="/sign-in/out"><button>${text}</button></form>`;
}

function secondsUntil(at = 0): number {
  return Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
