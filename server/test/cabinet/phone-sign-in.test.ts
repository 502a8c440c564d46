import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import type { ChannelAdapter } from '../../src/channels/channel.ts';
import { useService } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { readNewestCode } from './inbox.ts';

const service = useService();
const cabinet = createCabinetClient(service);

let addresses = 0;
/** Returns the header of a new client address: rate limits are counted per address. */
const newAddress = () => {
  addresses += 1;
  return { 'x-forwarded-for': `10.0.0.${addresses}` };
};

async function signIn(phone: string) {
  const browser = { cookie: '' };
  const body = await cabinet.requestPhoneCode(phone, browser);
  (await cabinet.as(browser).call(S.signInByPhone, { body })).ok();
  return browser;
}

test('a code signs in and creates the account of a new phone', async () => {
  const phone = service.phone();
  const browser = await signIn(phone);
  const session = (await cabinet.as(browser).call(S.session)).ok();
  assert.equal(session.person.phone, phone);
  assert.equal(session.person.email, null);
  assert.equal(session.person.name, `+7701***${phone.slice(-4)}`);
  assert.equal(session.company, null);
  assert.equal(session.is_sandbox, true);
});

test('the same phone in another spelling signs in to the same account', async () => {
  const phone = service.phone();
  await signIn(phone);
  await service.passTime(61);
  const browser = { cookie: '' };
  const spelled = `8 ${phone.slice(2, 5)} ${phone.slice(5)}`;
  const asked = (await cabinet.call(S.sendPhoneCode, { body: { phone: spelled } })).ok();
  const code = readNewestCode(service, phone);
  const body = { phone: spelled, code, request_token: asked.request_token };
  (await cabinet.as(browser).call(S.signInByPhone, { body })).ok();
  const people = await service.sql('select from person where phone = $1', [phone.slice(1)]);
  assert.equal(people.length, 1);
});

test('concurrent first sign-ins with one phone create one person', async () => {
  const phone = service.phone();
  const made = await Promise.all(Array.from({ length: 8 }, () => cabinet.person({ phone })));
  assert.equal(new Set(made.map(({ personId }) => personId)).size, 1);
});

test('a wrong code does not sign in, and the attempts are limited', async () => {
  const phone = service.phone();
  const browser = { cookie: '' };
  const right = await cabinet.requestPhoneCode(phone, browser);
  const body = { ...right, code: wrongCode(right.code) };
  for (let i = 0; i < 5; i++) {
    (await cabinet.as(browser).call(S.signInByPhone, { body })).refused('invalid_code');
  }
  (await cabinet.as(browser).call(S.signInByPhone, { body })).refused('too_many_attempts');
  assert.equal(browser.cookie, '');
  assert.deepEqual(await service.sql('select from person where phone = $1', [phone.slice(1)]), []);
});

test('a phone gets one code a minute, whether or not it has an account', async () => {
  const known = (await cabinet.person()).phone;
  for (const phone of [known, service.phone()]) {
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).ok();
    (await cabinet.call(S.sendPhoneCode, { body: { phone } })).refused('send_rate_limited');
  }
});

test('sign-in codes are free in the sandbox', async () => {
  await signIn(service.phone());
  const entries = await service.sql(`select from entry where kind = 'charge'`);
  assert.deepEqual(entries, []);
});

describe('behind a proxy', () => {
  const proxied = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
  const other = createCabinetClient(proxied);

  test('each client address can request thirty codes an hour', async () => {
    const headers = newAddress();
    const send = (address: Record<string, string>) =>
      other.call(S.sendPhoneCode, { body: { phone: proxied.phone() }, headers: address });
    for (let i = 0; i < 30; i++) (await send(headers)).ok();
    const { retry_after: wait } = (await send(headers)).refused('sign_in_limited');
    assert(typeof wait === 'number' && wait > 3500 && wait <= 3600, String(wait));
    (await send(newAddress())).ok();
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
  const other = createCabinetClient(live);

  test('the code is sent by the provider and charged to the company "Zhiber"', async () => {
    const phone = live.phone();
    const browser = { cookie: '' };
    const asked = (await other.as(browser).call(S.sendPhoneCode, { body: { phone } })).ok();
    const code = sent.at(-1)?.match(/\d{6}/)?.[0] ?? '';
    const body = { phone, code, request_token: asked.request_token };
    (await other.as(browser).call(S.signInByPhone, { body })).ok();
    const charged =
      await live.sql(`select c.name, count(*) from entry e join company c on c.id = e.company_id
      where e.kind = 'charge' group by c.name`);
    assert.deepEqual(charged, [{ name: 'Zhiber', count: 1 }]);
  });

  test('there is no demo and, without a mail server, no sign-up by email', async () => {
    const options = (await other.call(S.signInOptions)).ok();
    assert.deepEqual(options, {
      success: true,
      is_sandbox: false,
      has_demo: false,
      has_mail: false,
    });
    (await other.call(S.enterDemo)).refused('not_found');
    const body = { name: 'А', email: 'a@example.kz' };
    (await other.call(S.signUpByEmail, { body })).refused('not_found');
  });
});
