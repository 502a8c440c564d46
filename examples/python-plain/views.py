"""The views of sign-in by a code, in the manner of Django: a request in, a response out."""

import html
import logging
import os
import time

from session import Request, Response, redirect
from zhiber import CodeError, RateLimitError, Zhiber, ZhiberError

zhiber = Zhiber(os.environ["ZHIBER_KEY"], os.environ["ZHIBER_URL"])
PURPOSE = "login"
# A phone gets one code a minute.
RESEND_SECONDS = 60


def sign_in(request: Request) -> Response:
    return show_page(request.session)


def send(request: Request) -> Response:
    phone = request.form.get("phone", "")
    try:
        zhiber.send_code(phone, purpose=PURPOSE)
    except RateLimitError as error:
        # A code is on its way already: the person may enter it.
        return show_error({"phone": phone, "resend_at": time.time() + (error.retry_after or 0)}, error)
    except ZhiberError as error:
        return show_error({}, error)
    return redirect("/", {"phone": phone, "resend_at": time.time() + RESEND_SECONDS})


def verify(request: Request) -> Response:
    phone = request.session.get("phone")
    if phone is None:
        return redirect("/", {})
    try:
        # Returns only when the code is right.
        zhiber.verify_code(phone, request.form.get("code", ""), purpose=PURPOSE)
    except ZhiberError as error:
        return show_error(request.session, error)
    return redirect("/", {"phone": phone, "signed_in": True})


def sign_out(request: Request) -> Response:
    return redirect("/", {})


URLS = {
    ("GET", "/"): sign_in,
    ("POST", "/send"): send,
    ("POST", "/verify"): verify,
    ("POST", "/sign-out"): sign_out,
}


def show_error(session: dict, error: ZhiberError) -> Response:
    """Errors of the person are shown in the words of the API; the others are for the log."""
    if not isinstance(error, (CodeError, RateLimitError)) and error.code != "invalid_phone":
        logging.exception("sign-in failed")
        return show_page(session, "Не получилось. Попробуйте позже.", 503)
    text = f"{error.message}."
    if error.attempts_left is not None:
        text += f" Осталось попыток: {error.attempts_left}."
    if error.retry_after:
        text += f" Подождите {error.retry_after} с."
    return show_page(session, text, 422)


def show_page(session: dict, error: str = "", status: int = 200) -> Response:
    phone = html.escape(session.get("phone", ""))
    wait = max(0, round(session.get("resend_at", 0) - time.time()))
    if session.get("signed_in"):
        form = f"<p>Вы вошли: {phone}</p>{OUT_FORM.format(text='Выйти')}"
    elif phone:
        form = CODE_FORM.format(phone=phone, wait=wait) + OUT_FORM.format(text="Другой номер") + COUNTDOWN
    else:
        form = PHONE_FORM
    alert = f'<p role="alert">{html.escape(error)}</p>' if error else ""
    return Response(PAGE.format(alert=alert, form=form), status, session)


PAGE = """<!doctype html>
<html lang="ru">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Вход</title>
<h1>Вход</h1>
{alert}
{form}
</html>"""

PHONE_FORM = """<form method="post" action="/send">
<label>Телефон <input name="phone" type="tel" autocomplete="tel" required autofocus></label>
<button>Получить код</button>
</form>"""

CODE_FORM = """<form method="post" action="/verify">
<label>Код, отправленный на {phone}
<input name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus></label>
<button>Войти</button>
</form>
<form method="post" action="/send">
<input name="phone" type="hidden" value="{phone}">
<button id="resend" data-seconds="{wait}">Отправить ещё раз</button>
</form>
"""

OUT_FORM = '<form method="post" action="/sign-out"><button>{text}</button></form>'

COUNTDOWN = """<script>
const button = document.getElementById('resend');
const text = button.textContent;
let seconds = Number(button.dataset.seconds);
const show = () => {
  button.disabled = seconds > 0;
  button.textContent = seconds > 0 ? text + ' через ' + seconds + ' с' : text;
  if (seconds-- > 0) setTimeout(show, 1000);
};
show();
</script>"""
