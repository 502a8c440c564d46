import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { openMailServer } from './mail-server.ts';

/** Modules whose first load fails, as it does when too many files are open. */
const unreadable = new Set(['/node_modules/nodemailer/']);
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
  // The error log is silenced: this test causes an error on purpose.
  log: { write: () => undefined },
});
const cabinet = createCabinetClient(service);

test('a mail library that failed to load is loaded again for the next email', async (t) => {
  t.after(() => mail.close());
  const signUp = (email: string) =>
    cabinet.call(S.signUpByEmail, { body: { name: 'Айгерим', email } });
  (await signUp('first@example.kz')).ok();
  await until('the load fails', async () => !unreadable.has('/node_modules/nodemailer/'));
  (await signUp('second@example.kz')).ok();
  await until('an email arrives', async () => mail.letters.length > 0);
  assert.deepEqual(
    mail.letters.map(({ to }) => to),
    ['second@example.kz'],
  );
});
