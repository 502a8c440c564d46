import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { until, useService } from '../harness.ts';
import { openMailServer } from './mail-server.ts';
import { signedIn } from './signed-in.ts';

/** Modules whose file cannot be read the first time it is needed, as when too many files are open. */
const unreadable = new Set(['/node_modules/nodemailer/', '/src/people/auth.ts']);
registerHooks({
  load(url, context, nextLoad) {
    for (const part of unreadable) {
      if (!url.includes(part)) continue;
      unreadable.delete(part);
      throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    }
    return nextLoad(url, context);
  },
});

const mail = await openMailServer();
const service = useService({
  env: { SMTP_URL: mail.url, MAIL_FROM: 'hello@zhiber.example' },
  // What this brings about on purpose is not shown.
  log: { write: () => undefined },
});
const cabinet = signedIn(service);

test('the mailer that could not be loaded is loaded for the next letter', async (t) => {
  t.after(() => mail.close());
  const signUp = (email: string) =>
    cabinet.call(S.signUpByEmail, { body: { name: 'Айгерим', email, password: 'верный конь 5' } });
  (await signUp('first@example.kz')).ok();
  await until('the load fails', async () => !unreadable.has('/node_modules/nodemailer/'));
  (await signUp('second@example.kz')).ok();
  await until('a letter', async () => mail.letters.length > 0);
  assert.deepEqual(
    mail.letters.map(({ to }) => to),
    ['second@example.kz'],
  );
});

test('the sign-in that could not be loaded is loaded for the next person', async () => {
  await assert.rejects(service.people.auth(), /too many open files/);
  assert.ok(await service.people.auth());
});
