/** What somebody without an account, or with many addresses, can do to the others: nothing much. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { UNKNOWN_SLUGS_PER_MINUTE_MAX } from '@zhiber/contract/api/limits.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { useService } from '../harness.ts';
import { wrongCode } from '../wrong-code.ts';
import { createCabinetClient } from './cabinet-client.ts';
import { readNewestCode } from './inbox.ts';

const service = useService({
  env: { TRUST_PROXY: '127.0.0.1', SIGN_IN_CODES_PER_HOUR: '10000' },
});
const cabinet = createCabinetClient(service);

const from = (address: string) => ({ 'x-forwarded-for': address });

const askForCode = (phone: string, address: string) =>
  cabinet.call(S.sendPhoneCode, { body: { phone }, headers: from(address) });

type Code = { phone: string; code: string; request_token: string };

/** A code as it arrives at the phone, with the token of the browser that asked. */
async function requestCode(phone: string, address: string): Promise<Code> {
  const { request_token } = (await askForCode(phone, address)).ok();
  return { phone, code: readNewestCode(service, phone), request_token };
}

const enter = (body: Code, address: string, who: { cookie?: string } = {}) =>
  cabinet.as(who).call(S.signInByPhone, { body, headers: from(address) });

/** A phone gets one code a minute. */
const passMinute = () => service.passTime(61);

describe('codes to the phone are counted by network', () => {
  /** How many of the addresses get a code, each to another phone. */
  async function countCodes(addresses: readonly string[]): Promise<number> {
    let count = 0;
    for (const address of addresses) {
      const answer = await askForCode(service.phone(), address);
      if (answer.status === 200) count += 1;
      else answer.refused('sign_in_limited');
    }
    return count;
  }

  const list = (count: number, toAddress: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => toAddress(index + 1));

  test('45 addresses of one /64 get thirty codes', async () => {
    const addresses = list(45, (i) => `2001:db8:1:1:${i.toString(16)}::${i}`);
    assert.equal(await countCodes(addresses), 30);
  });

  test('150 networks of one /48 get 120 codes, and the next /48 its own', async () => {
    const addresses = list(150, (i) => `2001:db8:2:${i.toString(16)}::1`);
    assert.equal(await countCodes(addresses), 120);
    assert.equal(await countCodes(['2001:db8:3::1']), 1);
  });

  test('an address of IPv4 counts as one, however it is written', async () => {
    const spellings = ['10.4.0.1', '::ffff:10.4.0.1', '::FFFF:10.4.0.1'];
    const addresses = list(45, (i) => spellings[i % spellings.length] as string);
    assert.equal(await countCodes(addresses), 30);
    assert.equal(await countCodes(['10.4.0.2']), 1);
  });

  test('one phone gets four codes an hour for a /64 and sixteen for a /48', async () => {
    const count = async (toAddress: (index: number) => string, times: number) => {
      const phone = service.phone();
      let sent = 0;
      for (let i = 1; i <= times; i++) {
        // The limits of the phone itself are not the ones looked at here.
        await service.sql('delete from recent_sends');
        if ((await askForCode(phone, toAddress(i))).status === 200) sent += 1;
      }
      return sent;
    };
    assert.equal(await count((i) => `2001:db8:4:1::${i}`, 8), 4);
    assert.equal(await count((i) => `2001:db8:5:${i}::1`, 20), 16);
  });
});

describe('unknown short links are counted by network', () => {
  const open = async (slug: string, address: string) =>
    (await service.http.inject({ url: `/s/${slug}`, headers: from(address) })).statusCode;

  /** The limit refills evenly, so the minute is stopped while it is counted. */
  const stopTime = (t: TestContext) => {
    const nowMs = performance.now();
    t.mock.method(performance, 'now', () => nowMs);
  };

  async function countFound(count: number, toAddress: (index: number) => string) {
    let found = 0;
    for (let i = 1; i <= count; i++) {
      const status = await open(`nothing${i}`, toAddress(i));
      assert([404, 429].includes(status), String(status));
      if (status === 404) found += 1;
    }
    return found;
  }

  test('45 addresses of one /64 try thirty slugs a minute', async (t) => {
    stopTime(t);
    const found = await countFound(45, (i) => `2001:db8:6:1::${i}`);
    assert.equal(found, UNKNOWN_SLUGS_PER_MINUTE_MAX);
    assert.equal(await open('nothing', '2001:db8:7:1::1'), 404, 'another network');
  });

  test('150 networks of one /48 try 120', async (t) => {
    stopTime(t);
    const found = await countFound(150, (i) => `2001:db8:8:${i.toString(16)}::1`);
    assert.equal(found, 4 * UNKNOWN_SLUGS_PER_MINUTE_MAX);
  });

  test('a known link still opens there', async (t) => {
    stopTime(t);
    const made = await service.call(
      '/links/shorten',
      { url: 'https://shop.kz/' },
      await service.key(),
    );
    const slug = String(made.body.short_url).split('/').at(-1) as string;
    await countFound(45, (i) => `2001:db8:9:1::${i}`);
    assert.equal(await open('nothing', '2001:db8:9:1::1'), 429);
    assert.equal(await open(slug, '2001:db8:9:1::1'), 302);
  });
});

describe('a stranger who guesses at the code of a phone', () => {
  const STRANGER = '10.5.0.1';
  const OWNER = '10.6.0.1';

  /** Asks for a code and uses up its guesses. */
  async function guessRound(phone: string, address: string): Promise<void> {
    const right = await requestCode(phone, address);
    const body = { ...right, code: wrongCode(right.code) };
    for (let i = 0; i < 5; i++) (await enter(body, address)).refused('invalid_code');
    (await enter(right, address)).refused('too_many_attempts');
  }

  test('does not lock the owner out, who asks for a code and enters it', async () => {
    const { phone } = await cabinet.person();
    for (let round = 0; round < 2; round++) {
      await guessRound(phone, STRANGER);
      await passMinute();
    }
    const owner = { cookie: '' };
    (await enter(await requestCode(phone, OWNER), OWNER, owner)).ok();
    assert.equal((await cabinet.as(owner).call(S.session)).ok().person.phone, phone);
  });

  test('does not end the code that the owner has already got', async () => {
    const { phone } = await cabinet.person();
    const mine = await requestCode(phone, OWNER);
    await passMinute();
    await guessRound(phone, STRANGER);
    (await enter(mine, OWNER)).ok();
  });

  test('cannot enter the code of another browser, nor use up its guesses', async () => {
    const { phone } = await cabinet.person();
    const mine = await requestCode(phone, OWNER);
    await passMinute();
    const theirs = await requestCode(phone, STRANGER);
    assert.notEqual(theirs.request_token, mine.request_token);
    for (let i = 0; i < 5; i++) {
      // The one chance in a million that both codes are equal is no failure of the server.
      if (mine.code === theirs.code) break;
      const answer = await enter({ ...theirs, code: mine.code }, STRANGER);
      answer.refused('invalid_code');
    }
    const unknown = { ...mine, request_token: 'A'.repeat(43) };
    (await enter(unknown, STRANGER)).refused('code_not_found');
    (await enter(mine, OWNER)).ok();
    (await enter(mine, OWNER)).refused('code_already_used');
  });

  test('cannot enter it for another purpose or phone', async () => {
    const [one, other] = [await cabinet.person(), await cabinet.person()];
    const right = await requestCode(one.phone, OWNER);
    (await enter({ ...right, phone: other.phone }, OWNER)).refused('code_not_found');
    const confirm = await cabinet
      .as(one)
      .call(S.confirmIdentity, { body: { code: right.code }, headers: from(OWNER) });
    confirm.refused('code_not_found');
    (await enter(right, OWNER)).ok();
  });

  test('has fifteen guesses in 15 minutes at a phone, with any number of browsers', async () => {
    const { phone } = await cabinet.person();
    const network = (i: number) => `2001:db8:a:1::${i}`;
    const unknown = { phone, code: '123456', request_token: 'B'.repeat(43) };
    for (let i = 1; i <= 15; i++) {
      const request_token = String(i).padStart(43, 'B');
      (await enter({ ...unknown, request_token }, network(i))).refused('code_not_found');
    }
    (await enter(unknown, network(16))).refused('sign_in_limited');
    const mine = await requestCode(phone, OWNER);
    (await enter(mine, OWNER)).ok();
  });

  test('has sixty guesses an hour at all phones together', async () => {
    const network = (i: number) => `2001:db8:b:1::${i}`;
    const guess = (i: number) =>
      enter({ phone: service.phone(), code: '123456', request_token: 'C'.repeat(43) }, network(i));
    for (let i = 1; i <= 60; i++) (await guess(i)).refused('code_not_found');
    (await guess(61)).refused('sign_in_limited');
  });
});
