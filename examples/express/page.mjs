/** The page: one field for the phone, then one field for the code. */
export function renderPage({ session, error = '', waitSeconds = 0 }) {
  return `<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Вход</title>
<style>body { font: 16px/1.5 system-ui; max-width: 22rem; margin: 10vh auto; padding: 0 1rem }
input, button { font: inherit; width: 100%; padding: .6rem; margin: .25rem 0; box-sizing: border-box }
[role=alert] { color: #b00020 }</style>
<h1>Вход</h1>
${error && `<p role="alert">${escapeHtml(error)}</p>`}
${session.isSignedIn ? welcome(session) : session.phone ? codeForm(session, waitSeconds) : PHONE_FORM}
</html>`;
}

const PHONE_FORM = `<form method="post" action="/send">
<label>Телефон<input name="phone" type="tel" autocomplete="tel" placeholder="+7 701 123 45 67" required autofocus></label>
<button>Получить код</button>
</form>`;

function codeForm({ phone }, waitSeconds) {
  return `<form method="post" action="/verify">
<label>Код, отправленный на ${escapeHtml(phone)}
<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<button>Войти</button>
</form>
<form method="post" action="/send">
<input name="phone" type="hidden" value="${escapeHtml(phone)}">
<button id="resend" data-seconds="${waitSeconds}">Отправить ещё раз</button>
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
</script>`;
}

function welcome({ phone }) {
  return `<p>Вы вошли: ${escapeHtml(phone)}</p>
<form method="post" action="/sign-out"><button>Выйти</button></form>`;
}

function escapeHtml(text) {
  const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return String(text).replaceAll(/[&<>"']/g, (char) => entities[char]);
}
