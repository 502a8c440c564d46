/** The limits on what a phone gets from all companies together. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ApiAnswer, runConcurrently, type TestKey, until, useService } from '../harness.ts';
import { tally } from './two-nodes.ts';

const service = useService();

const send = (key: TestKey, phone: string, more: object = {}): Promise<ApiAnswer> =>
  service.call('/otp/send', { phone, ...more }, key);
const sendLink = (key: TestKey, phone: string): Promise<ApiAnswer> =>
  service.call('/links/send', { phone, url: 'https://shop.kz', channel: 'whatsapp' }, key);
const manyKeys = (count: number, settings: Parameters<typeof service.key>[0] = {}) =>
  runConcurrently(count, () => service.key(settings));

/** Sends codes to the phone, each from a company of its own. */
async function sendByOthers(phone: string, count: number): Promise<TestKey[]> {
  const keys = await manyKeys(count);
  for (const key of keys) assert.equal((await send(key, phone)).status, 200);
  return keys;
}

function assertRefused(answer: ApiAnswer, fromSeconds: number, toSeconds: number): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.body.error_code, 'daily_limit_reached');
  const wait = Number(answer.body.retry_after);
  assert(wait >= fromSeconds && wait <= toSeconds, `${fromSeconds} ≤ ${wait} ≤ ${toSeconds}`);
  assert.equal(answer.headers['retry-after'], String(wait));
}

async function assertNothingStored(key: TestKey): Promise<void> {
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  for (const table of ['recent_sends', 'message', 'code', 'entry where amount < 0 and']) {
    const where = table.includes('where') ? '' : ' where';
    const rows = await service.sql(`select 1 from ${table}${where} company_id = $1`, [
      key.companyId,
    ]);
    assert.equal(rows.length, 0, table);
  }
}

test('of ten companies that send to one phone at once, five succeed', async () => {
  const keys = await manyKeys(10);
  const phone = service.phone();
  const answers = await runConcurrently(10, (i) => send(keys[i] as TestKey, phone));
  assert.deepEqual(tally(answers), { ok: 5, daily_limit_reached: 5 });
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 200) continue;
    assertRefused(answer, 595, 600);
    await assertNothingStored(keys[i] as TestKey);
  }
});

test('codes and links of ten companies at once share the limit of five', async () => {
  const keys = await manyKeys(10);
  const phone = service.phone();
  const answers = await runConcurrently(10, (i) =>
    (i % 2 === 0 ? send : sendLink)(keys[i] as TestKey, phone),
  );
  assert.deepEqual(tally(answers), { ok: 5, daily_limit_reached: 5 });
});

test('a send without the money for it does not count', async () => {
  const poor = await manyKeys(10, { balance: 0 });
  const rich = await manyKeys(5);
  const phone = service.phone();
  // Within a batch, older companies are decided first.
  const answers = await runConcurrently(15, (i) => send([...poor, ...rich][i] as TestKey, phone));
  assert.equal(tally(answers).ok, 5);
});

test('a failed send does not count', async () => {
  const phone = service.phone();
  const keys = await manyKeys(6);
  const before = service.sandbox.switches;
  service.sandbox.switches = { ...before, noWhatsapp: true, noTelegram: true, notMobile: true };
  for (const key of keys.slice(0, 5)) assert.equal((await send(key, phone)).status, 502);
  service.sandbox.switches = before;
  await sendByOthers(phone, 4);
  assert.equal((await send(keys[5] as TestKey, phone)).status, 200);
});

describe("a company's own sends do not count", () => {
  test('a company may send ten an hour beside four of other companies', async () => {
    const key = await service.key();
    const phone = service.phone();
    await sendByOthers(phone, 4);
    for (let sent = 1; sent <= 10; sent++) {
      assert.equal((await send(key, phone)).status, 200, `send ${sent}`);
      await service.passTime(61);
    }
    assertRefused(await send(key, phone), 2_900, 3_000);
  });

  test('its own one-minute limit is reported before the limit of the phone', async () => {
    const phone = service.phone();
    const [first] = await sendByOthers(phone, 5);
    assert.equal((await send(first as TestKey, phone)).body.error_code, 'send_rate_limited');
  });
});

describe('the limits end', () => {
  test('after exactly ten minutes, and a refusal does not extend them', async () => {
    const key = await service.key();
    const phone = service.phone();
    await sendByOthers(phone, 5);
    await service.passTime(597);
    assertRefused(await send(key, phone), 1, 3);
    await service.passTime(3);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('when the fifth newest send is ten minutes old, however many there were', async () => {
    const others = await manyKeys(3);
    const key = await service.key();
    const phone = service.phone();
    for (let round = 1; round <= 3; round++) {
      for (const other of others) assert.equal((await send(other, phone)).status, 200);
      await service.passTime(61);
    }
    // Two sends of each company count, so the second round decides.
    assertRefused(await send(key, phone), 600 - 2 * 61 - 5, 600 - 2 * 61);
    await service.passTime(600 - 2 * 61);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('after exactly a day, after twenty sends', async () => {
    const [one, two, three] = (await manyKeys(3)) as [TestKey, TestKey, TestKey];
    const key = await service.key();
    const phone = service.phone();
    for (let round = 1; round <= 7; round++) {
      const sending = round < 7 ? [one, two, three] : [one];
      for (const other of sending) assert.equal((await send(other, phone)).status, 200);
      await service.passTime(601);
    }
    assert.equal((await send(key, phone)).status, 200, 'nineteen sends are below the limit');
    assert.equal((await send(two, phone)).status, 200);
    await service.passTime(61);
    assertRefused(await send(key, phone), 86_400 - 4_268 - 5, 86_400 - 4_268);
    await service.passTime(86_400 - 4_268 - 3);
    assertRefused(await send(key, phone), 1, 3);
    await service.passTime(3);
    assert.equal((await send(key, phone)).status, 200);
  });
});

describe('one company alone cannot use up the limits of a phone', () => {
  test('with sends over ten minutes', async () => {
    const busy = await service.key({ balance: 500 });
    const phone = service.phone();
    for (let sent = 1; sent <= 7; sent++) {
      assert.equal((await send(busy, phone)).status, 200);
      await service.passTime(61);
    }
    const links = await runConcurrently(30, () => sendLink(busy, phone));
    assert.deepEqual(tally(links), { ok: 30 });
    await sendByOthers(phone, 3);
    assertRefused(await send(await service.key(), phone), 590, 600);
  });

  test('with sends at the same moment as others', async () => {
    const busy = await service.key({ balance: 500 });
    const others = await manyKeys(3);
    const phone = service.phone();
    const [links, codes] = await Promise.all([
      runConcurrently(30, () => sendLink(busy, phone)),
      runConcurrently(3, (i) => send(others[i] as TestKey, phone)),
    ]);
    assert.deepEqual([tally(links), tally(codes)], [{ ok: 30 }, { ok: 3 }]);
  });

  test('with sends over a day', async () => {
    const busy = await service.key({ balance: 500 });
    const phone = service.phone();
    for (let sent = 1; sent <= 20; sent++) {
      assert.equal((await send(busy, phone)).status, 200);
      await service.passTime(601);
    }
    assert.equal((await send(await service.key(), phone)).status, 200);
  });
});

describe('test keys', () => {
  test('reach no real phone, so their sends do not count', async () => {
    const phone = service.phone();
    for (const key of await manyKeys(10, { isTest: true })) {
      assert.equal((await send(key, phone)).status, 200);
    }
    await sendByOthers(phone, 5);
    assertRefused(await send(await service.key(), phone), 595, 600);
  });

  test('do not count at the same moment as real sends either', async () => {
    const phone = service.phone();
    const tests = await manyKeys(10, { isTest: true });
    const keys = [...tests, ...(await manyKeys(6))];
    const answers = await runConcurrently(16, (i) => send(keys[i] as TestKey, phone));
    assert.deepEqual(tally(answers), { ok: 15, daily_limit_reached: 1 });
  });

  test('are not limited by real sends', async () => {
    const phone = service.phone();
    await sendByOthers(phone, 5);
    assert.equal((await send(await service.key({ isTest: true }), phone)).status, 200);
  });

  test('do not reset the count of real sends of their company', async () => {
    const phone = service.phone();
    const keys = await sendByOthers(phone, 5);
    await service.passTime(61);
    for (const { companyId } of keys) {
      const key = await service.key({ companyId, isTest: true });
      assert.equal((await send(key, phone)).status, 200);
    }
    assert.equal((await send(await service.key(), phone)).status, 429);
  });
});

test('what another node reserves while this one waits for the phone counts', async () => {
  const phone = service.phone();
  const [first] = (await sendByOthers(phone, 4)) as [TestKey];
  const key = await service.key();
  const { answer } = await service.ctx.db.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [-Number(phone.slice(1))]);
    const sending = send(key, phone);
    await until('the send waits for the phone', async () => {
      const waiting = await tx.query(
        `select from pg_locks where locktype = 'advisory' and not granted`,
      );
      return waiting.length > 0;
    });
    // As a send of the other node would, later than the one that waits has begun.
    await tx.query(
      'update recent_sends set recent = recent || clock_timestamp() where company_id = $1',
      [first.companyId],
    );
    return { answer: sending };
  });
  assertRefused(await answer, 590, 600);
  await assertNothingStored(key);
});
