import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { letterOf } from '../../src/mail/letters.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { lettersTo } from './inbox.ts';
import { openMailServer } from './mail-server.ts';

const mail = await openMailServer();
const refusing = await openMailServer({ refuses: true });
const silent = await openMailServer({ isSilent: true });
/** A quarter of the time limit of a whole shutdown. */
const CLOSE_LIMIT_MS = 6_000;

const signUp = (email: string) => ({ body: { name: 'Айгерим', email, password: 'верный конь 5' } });

describe('with a mail server', () => {
  const service = useService({ env: { SMTP_URL: mail.url, MAIL_FROM: 'hello@zhiber.example' } });
  const cabinet = createCabinetClient(service);

  test('an email with a working link goes to the server and not to the sandbox inbox', async (t) => {
    t.after(() => mail.close());
    const email = 'real@example.kz';
    (await cabinet.call(S.signUpByEmail, signUp(email))).ok();
    await until('an email arrives', async () => mail.letters.length > 0);
    const [letter] = mail.letters;
    assert.equal(letter?.from, 'hello@zhiber.example');
    assert.equal(letter?.to, email);
    const source = letter?.source.replaceAll('=\n', '').replaceAll('=3D', '=') ?? '';
    const token = /finish-sign-up\?token=([\w-]{43})/.exec(source)?.[1] ?? '';
    (await cabinet.call(S.finishSignUp, { body: { token, password: 'верный конь 5' } })).ok();
    assert.deepEqual(lettersTo(service, email), []);
    await service.accounts.mailer.close();
  });
});

describe('with a mail server that refuses every email', () => {
  let log = '';
  const service = useService({
    env: { SMTP_URL: refusing.url, MAIL_FROM: 'hello@zhiber.example' },
    log: {
      write(line) {
        log += line;
      },
    },
  });
  const cabinet = createCabinetClient(service);

  test('a sign-up gets the same answer, and the log does not contain the address', async (t) => {
    t.after(() => refusing.close());
    (await cabinet.call(S.signUpByEmail, signUp('canary@example.kz'))).ok();
    await until('the failure is logged', async () => log.includes('mail was not sent'));
    assert(!log.includes('canary'), log);
    await service.accounts.mailer.close();
  });
});

describe('with a mail server that never answers', () => {
  let log = '';
  const service = useService({
    env: { SMTP_URL: silent.url, MAIL_FROM: 'hello@zhiber.example' },
    log: {
      write(line) {
        log += line;
      },
    },
  });
  const cabinet = createCabinetClient(service);

  test('a sign-up is answered, and the email times out', async () => {
    (await cabinet.call(S.signUpByEmail, signUp('first@example.kz'))).ok();
    await until('the failure is logged', async () => log.includes('mail was not sent'));
    assert.match(log, /ETIMEDOUT/);
  });

  test('a shutdown does not wait for it', async (t) => {
    t.after(() => silent.close());
    const before = silent.connections();
    (await cabinet.call(S.signUpByEmail, signUp('second@example.kz'))).ok();
    await until('the mailer connects', async () => silent.connections() > before);
    const startedMs = performance.now();
    await service.accounts.mailer.close();
    assert(performance.now() - startedMs < CLOSE_LIMIT_MS);
  });
});

test('the name of a company in an email is escaped and has no line breaks', () => {
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
