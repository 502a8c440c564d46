import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { letterOf } from '../../src/mail/letters.ts';
import { until, useService } from '../harness.ts';
import { lettersTo } from './inbox.ts';
import { openMailServer } from './mail-server.ts';
import { signedIn } from './signed-in.ts';

const mail = await openMailServer();
const deaf = await openMailServer({ refuses: true });
const silent = await openMailServer({ isSilent: true });
/** A quarter of what a stop may take altogether. */
const CLOSE_LIMIT_MS = 6_000;

const signUp = (email: string) => ({ body: { name: 'Айгерим', email, password: 'верный конь 5' } });

describe('with a mail server', () => {
  const service = useService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'hello@zhiber.example' } });
  const cabinet = signedIn(service);

  test('a letter leaves by it, with a link that works, and not into the virtual phone', async (t) => {
    t.after(() => mail.close());
    const email = 'real@example.kz';
    (await cabinet.call(S.signUpByEmail, signUp(email))).ok();
    await until('a letter', async () => mail.letters.length > 0);
    const [letter] = mail.letters;
    assert.equal(letter?.from, 'hello@zhiber.example');
    assert.equal(letter?.to, email);
    const source = letter?.source.replaceAll('=\n', '').replaceAll('=3D', '=') ?? '';
    const token = /confirm-email\?token=([\w-]{43})/.exec(source)?.[1] ?? '';
    (await cabinet.call(S.confirmEmail, { body: { token } })).ok();
    assert.deepEqual(lettersTo(service, email), []);
    await service.people.mailer.close();
  });
});

describe('with a mail server that takes nothing', () => {
  let log = '';
  const service = useService({
    env: { SMTP_URL: deaf.url, MAIL_FROM: 'hello@zhiber.example' },
    log: {
      write(line) {
        log += line;
      },
    },
  });
  const cabinet = signedIn(service);

  test('whoever signs up is answered the same, and the log does not name them', async (t) => {
    t.after(() => deaf.close());
    (await cabinet.call(S.signUpByEmail, signUp('canary@example.kz'))).ok();
    await until('a line in the log', async () => log.includes('a letter was not sent'));
    assert(!log.includes('canary'), log);
    await service.people.mailer.close();
  });
});

describe('with a mail server that never says a word', () => {
  let log = '';
  const service = useService({
    env: { SMTP_URL: silent.url, MAIL_FROM: 'hello@zhiber.example' },
    log: {
      write(line) {
        log += line;
      },
    },
  });
  const cabinet = signedIn(service);

  test('whoever signs up is answered, and the letter is given up', async () => {
    (await cabinet.call(S.signUpByEmail, signUp('first@example.kz'))).ok();
    await until('a line in the log', async () => log.includes('a letter was not sent'));
    assert.match(log, /ETIMEDOUT/);
  });

  test('a stop does not wait for it', async (t) => {
    t.after(() => silent.close());
    const before = silent.connections();
    (await cabinet.call(S.signUpByEmail, signUp('second@example.kz'))).ok();
    await until('a connection', async () => silent.connections() > before);
    const startedMs = performance.now();
    await service.people.mailer.close();
    assert(performance.now() - startedMs < CLOSE_LIMIT_MS);
  });
});

test('the name of a company stands in a letter as text, in one line', () => {
  const company = '<b>Рога\r\nBcc: x@y.kz</b>';
  const letter = letterOf('invitation', 'ru', {
    to: 'a@b.kz',
    link: 'https://z.kz/invite/1',
    company,
  });
  assert.equal(letter.subject, 'Приглашение в компанию «<b>Рога Bcc: x@y.kz</b>»');
  assert(letter.html.includes('&lt;b&gt;Рога Bcc: x@y.kz&lt;/b&gt;'));
  assert(!letter.html.includes('<b>'));
});
