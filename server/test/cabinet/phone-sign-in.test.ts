import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import { useService } from '../harness.ts';
import { codeAt } from './inbox.ts';
import { signedIn } from './signed-in.ts';

const service = useService();
const cabinet = signedIn(service);

let addresses = 0;
/** Each test comes from an address of its own, as its limits are. */
const from = () => {
  addresses += 1;
  return { 'x-forwarded-for': `10.0.0.${addresses}` };
};

async function signIn(phone: string) {
  const browser = { cookie: '' };
  (await cabinet.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
  const code = codeAt(service, phone);
  (await cabinet.as(browser).call(S.signInByPhone, { body: { phone, code } })).ok();
  return browser;
}

test('a code signs in, and makes the account of a phone that is new', async () => {
  const phone = service.phone();
  const browser = await signIn(phone);
  const session = (await cabinet.as(browser).call(S.session)).ok();
  assert.equal(session.person.phone, phone);
  assert.equal(session.person.email, null);
  assert.equal(session.person.name, `+7701***${phone.slice(-4)}`);
  assert.equal(session.company, null);
  assert.equal(session.is_sandbox, true);
});

test('the same phone is the same person the next time, however it is written', async () => {
  const phone = service.phone();
  await signIn(phone);
  await service.passTime(61);
  const browser = { cookie: '' };
  const spelled = `8 ${phone.slice(2, 5)} ${phone.slice(5)}`;
  (await cabinet.as(browser).call(S.sendPhoneCode, { body: { phone: spelled } })).ok();
  const code = codeAt(service, phone);
  (await cabinet.as(browser).call(S.signInByPhone, { body: { phone: spelled, code } })).ok();
  const people = await service.sql('select from person where phone = $1', [phone.slice(1)]);
  assert.equal(people.length, 1);
});

test('two first sign-ins at once make one person', async () => {
  const phone = service.phone();
  const made = await Promise.all(Array.from({ length: 8 }, () => cabinet.person({ phone })));
  assert.equal(new Set(made.map(({ personId }) => personId)).size, 1);
});

test('a wrong code signs nobody in, and the guesses run out', async () => {
  const phone = service.phone();
  const browser = { cookie: '' };
  (await cabinet.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
  const code = String((Number(codeAt(service, phone)) + 1) % 1_000_000).padStart(6, '0');
  for (let i = 0; i < 5; i++) {
    (await cabinet.as(browser).call(S.signInByPhone, { body: { phone, code } })).refused(
      'invalid_code',
    );
  }
  (await cabinet.as(browser).call(S.signInByPhone, { body: { phone, code } })).refused(
    'too_many_attempts',
  );
  assert.equal(browser.cookie, '');
  assert.deepEqual(await service.sql('select from person where phone = $1', [phone.slice(1)]), []);
});

test('a phone is sent one code in a minute, whether or not anybody has it', async () => {
  const known = (await cabinet.person()).phone;
  for (const phone of [known, service.phone()]) {
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).ok();
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).refused('send_rate_limited');
  }
});

test('a code for the cabinet costs nobody anything in a sandbox', async () => {
  await signIn(service.phone());
  const entries = await service.sql(`select from entry where kind = 'charge'`);
  assert.deepEqual(entries, []);
});

describe('behind a proxy', () => {
  const proxied = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
  const other = signedIn(proxied);

  test('an address orders thirty codes in an hour, and another address still its own', async () => {
    const headers = from();
    const send = (one: Record<string, string>) =>
      other.call(S.sendPhoneCode, { body: { phone: proxied.phone() }, headers: one });
    for (let i = 0; i < 30; i++) (await send(headers)).ok();
    const { retry_after: wait } = (await send(headers)).refused('sign_in_limited');
    assert(typeof wait === 'number' && wait > 3500 && wait <= 3600, String(wait));
    (await send(from())).ok();
    await proxied.passTime(3601);
    (await send(headers)).ok();
  });
});

describe('with a provider', () => {
  const sent: string[] = [];
  const sms: ChannelAdapter = {
    name: 'recording',
    carries: new Set(['code']),
    async send({ text }) {
      sent.push(text);
      return { result: 'accepted', providerId: String(sent.length) };
    },
  };
  const live = useService({ providers: { sms } });
  const other = signedIn(live);

  test('the code leaves by the provider, paid by the company of Zhiber itself', async () => {
    const phone = live.phone();
    const browser = { cookie: '' };
    (await other.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
    const code = sent.at(-1)?.match(/\d{6}/)?.[0] ?? '';
    (await other.as(browser).call(S.signInByPhone, { body: { phone, code } })).ok();
    const charged =
      await live.sql(`select c.name, count(*) from entry e join company c on c.id = e.company_id
      where e.kind = 'charge' group by c.name`);
    assert.deepEqual(charged, [{ name: 'Zhiber', count: 1 }]);
  });

  test('there is no demo to click into, and no letters', async () => {
    const entrance = (await other.call(S.entrance)).ok();
    assert.deepEqual(entrance, {
      success: true,
      is_sandbox: false,
      has_demo: false,
      has_mail: false,
    });
    (await other.call(S.enterDemo)).refused('not_found');
    const body = { name: 'А', email: 'a@example.kz', password: 'long enough' };
    (await other.call(S.signUpByEmail, { body })).refused('not_found');
  });
});
