/** Sign-in by a code. Start: ZHIBER_KEY=zk_test_… ZHIBER_URL=http://localhost:3000/api npm start */
import { CodeError, RateLimitError, Zhiber } from '@zhiber/sdk';
import express from 'express';
import { renderPage } from './page.mjs';
import { readSession, writeSession } from './session.mjs';

const zhiber = new Zhiber({ apiKey: process.env.ZHIBER_KEY, baseUrl: process.env.ZHIBER_URL });
const PURPOSE = 'login';
/** A phone gets one code a minute. */
const RESEND_SECONDS = 60;

const app = express();
app.use(express.urlencoded({ extended: false }));

app.get('/', (request, response) => {
  const session = readSession(request);
  response.send(renderPage({ session, waitSeconds: secondsUntil(session.resendAt) }));
});

app.post('/send', async (request, response) => {
  const phone = String(request.body.phone ?? '');
  try {
    await zhiber.otp.send({ phone, purpose: PURPOSE });
  } catch (error) {
    // A code is on its way already: the person may enter it.
    const session =
      error instanceof RateLimitError ? { phone, resendAt: after(error.retryAfter) } : {};
    writeSession(response, session);
    return showError(response, { session, error });
  }
  writeSession(response, { phone, resendAt: after(RESEND_SECONDS) });
  response.redirect(303, '/');
});

app.post('/verify', async (request, response) => {
  const session = readSession(request);
  const { phone } = session;
  if (phone === undefined) return response.redirect(303, '/');
  try {
    // Returns only when the code is right.
    await zhiber.otp.verify({ phone, code: String(request.body.code ?? ''), purpose: PURPOSE });
  } catch (error) {
    return showError(response, { session, error });
  }
  writeSession(response, { phone, isSignedIn: true });
  response.redirect(303, '/');
});

app.post('/sign-out', (_request, response) => {
  writeSession(response, {});
  response.redirect(303, '/');
});

/** Errors of the person are shown in the words of the API; the others are for the log. */
function showError(response, { session, error }) {
  const isOfPerson =
    error instanceof CodeError || error instanceof RateLimitError || error.code === 'invalid_phone';
  if (!isOfPerson) console.error(error);
  const left = error.attemptsLeft === undefined ? '' : ` Осталось попыток: ${error.attemptsLeft}.`;
  const wait = error.retryAfter > 0 ? ` Подождите ${error.retryAfter} с.` : '';
  response.status(isOfPerson ? 422 : 503).send(
    renderPage({
      session,
      error: isOfPerson ? `${error.message}.${left}${wait}` : 'Не получилось. Попробуйте позже.',
      waitSeconds: secondsUntil(session.resendAt),
    }),
  );
}

function after(seconds) {
  return Date.now() + seconds * 1_000;
}

function secondsUntil(at = 0) {
  return Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

const server = app.listen(process.env.PORT ?? 3001, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
