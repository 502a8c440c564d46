/** What a phone may get from all companies together, whoever they are. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answered, type TestKey, together } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

const send = (key: TestKey, phone: string, more: object = {}): Promise<Answered> =>
  service.call('/otp/send', { phone, ...more }, key);
const sendLink = (key: TestKey, phone: string): Promise<Answered> =>
  service.call('/links/send', { phone, url: 'https://shop.kz', channel: 'whatsapp' }, key);
const manyKeys = (count: number, settings: Parameters<typeof service.key>[0] = {}) =>
  together(count, () => service.key(settings));

/** The phone has got so many codes, each from a company of its own. */
async function sendByOthers(phone: string, count: number): Promise<TestKey[]> {
  const keys = await manyKeys(count);
  for (const key of keys) assert.equal((await send(key, phone)).status, 200);
  return keys;
}

function assertRefused(answer: Answered, fromSeconds: number, toSeconds: number): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.body.error_code, 'daily_limit_reached');
  const wait = Number(answer.body.retry_after);
  assert(wait >= fromSeconds && wait <= toSeconds, `${fromSeconds} ≤ ${wait} ≤ ${toSeconds}`);
  assert.equal(answer.headers['retry-after'], String(wait));
}

async function assertUntouched(key: TestKey): Promise<void> {
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  for (const table of ['gate', 'message', 'code', 'entry where amount < 0 and']) {
    const where = table.includes('where') ? '' : ' where';
    const rows = await service.sql(`select 1 from ${table}${where} company_id = $1`, [
      key.companyId,
    ]);
    assert.equal(rows.length, 0, table);
  }
}

test('ten companies at once reach one phone five times', async () => {
  const keys = await manyKeys(10);
  const phone = service.phone();
  const answers = await together(10, (i) => send(keys[i] as TestKey, phone));
  assert.deepEqual(tally(answers), { ok: 5, daily_limit_reached: 5 });
  for (const [i, answer] of answers.entries()) {
    if (answer.status === 200) continue;
    assertRefused(answer, 595, 600);
    await assertUntouched(keys[i] as TestKey);
  }
});

test('ten companies at once that send codes and links reach it five times as well', async () => {
  const keys = await manyKeys(10);
  const phone = service.phone();
  const answers = await together(10, (i) =>
    (i % 2 === 0 ? send : sendLink)(keys[i] as TestKey, phone),
  );
  assert.deepEqual(tally(answers), { ok: 5, daily_limit_reached: 5 });
});

test('two nodes at once let through at most five each', async () => {
  const keys = await manyKeys(20);
  const phone = service.phone();
  const answers = await together(20, (i) => post(i, '/otp/send', { phone }, keys[i] as TestKey));
  const { ok = 0, daily_limit_reached: refused = 0 } = tally(answers);
  assert.equal(ok + refused, 20);
  assert(ok >= 5 && ok <= 10, `${ok} let through`);
});

test('a company without the money for it takes no place', async () => {
  const poor = await manyKeys(10, { balance: 0 });
  const rich = await manyKeys(5);
  const phone = service.phone();
  // Those that were made first are decided first, of all that go together.
  const answers = await together(15, (i) => send([...poor, ...rich][i] as TestKey, phone));
  assert.equal(tally(answers).ok, 5);
});

test('a send that failed takes no place', async () => {
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
  test('ten an hour are its own, with four by others in between', async () => {
    const key = await service.key();
    const phone = service.phone();
    await sendByOthers(phone, 4);
    for (let sent = 1; sent <= 10; sent++) {
      assert.equal((await send(key, phone)).status, 200, `send ${sent}`);
      await service.passTime(61);
    }
    assertRefused(await send(key, phone), 2_900, 3_000);
  });

  test('thirty links at once are its own', async () => {
    const key = await service.key({ balance: 1_000 });
    const phone = service.phone();
    const answers = await together(40, () => sendLink(key, phone));
    assert.deepEqual(tally(answers), { ok: 30, daily_limit_reached: 10 });
  });

  test('and its own minute is what it hears of first', async () => {
    const phone = service.phone();
    const [first] = await sendByOthers(phone, 5);
    assert.equal((await send(first as TestKey, phone)).body.error_code, 'send_rate_limited');
  });
});

describe('the caps end', () => {
  test('after exactly ten minutes, and a refusal does not lengthen them', async () => {
    const key = await service.key();
    const phone = service.phone();
    await sendByOthers(phone, 5);
    await service.passTime(597);
    assertRefused(await send(key, phone), 1, 3);
    await service.passTime(3);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('when the fifth newest is ten minutes old, however many there were', async () => {
    const others = await manyKeys(3);
    const key = await service.key();
    const phone = service.phone();
    for (let round = 1; round <= 3; round++) {
      for (const other of others) assert.equal((await send(other, phone)).status, 200);
      await service.passTime(61);
    }
    // Two of each count, so the second round leaves last.
    assertRefused(await send(key, phone), 600 - 2 * 61 - 5, 600 - 2 * 61);
    await service.passTime(600 - 2 * 61);
    assert.equal((await send(key, phone)).status, 200);
  });

  test('after exactly a day, when there were twenty in it', async () => {
    const [one, two, three] = (await manyKeys(3)) as [TestKey, TestKey, TestKey];
    const key = await service.key();
    const phone = service.phone();
    for (let round = 1; round <= 7; round++) {
      const sending = round < 7 ? [one, two, three] : [one];
      for (const other of sending) assert.equal((await send(other, phone)).status, 200);
      await service.passTime(601);
    }
    assert.equal((await send(key, phone)).status, 200, 'nineteen are not twenty');
    assert.equal((await send(two, phone)).status, 200);
    await service.passTime(61);
    assertRefused(await send(key, phone), 86_400 - 4_268 - 5, 86_400 - 4_268);
    await service.passTime(86_400 - 4_268 - 3);
    assertRefused(await send(key, phone), 1, 3);
    await service.passTime(3);
    assert.equal((await send(key, phone)).status, 200);
  });
});

describe('one company alone keeps nobody from a phone', () => {
  test('by what it sends in ten minutes', async () => {
    const hasty = await service.key({ balance: 500 });
    const phone = service.phone();
    for (let sent = 1; sent <= 7; sent++) {
      assert.equal((await send(hasty, phone)).status, 200);
      await service.passTime(61);
    }
    const links = await together(30, () => sendLink(hasty, phone));
    assert.deepEqual(tally(links), { ok: 30 });
    await sendByOthers(phone, 3);
    assertRefused(await send(await service.key(), phone), 590, 600);
  });

  test('by what it sends at the same moment as they', async () => {
    const hasty = await service.key({ balance: 500 });
    const others = await manyKeys(3);
    const phone = service.phone();
    const [links, codes] = await Promise.all([
      together(30, () => sendLink(hasty, phone)),
      together(3, (i) => send(others[i] as TestKey, phone)),
    ]);
    assert.deepEqual([tally(links), tally(codes)], [{ ok: 30 }, { ok: 3 }]);
  });

  test('by what it sends in a day', async () => {
    const hasty = await service.key({ balance: 500 });
    const phone = service.phone();
    for (let sent = 1; sent <= 20; sent++) {
      assert.equal((await send(hasty, phone)).status, 200);
      await service.passTime(601);
    }
    assert.equal((await send(await service.key(), phone)).status, 200);
  });
});

describe('test keys', () => {
  test('reach nobody, so their sends take no place', async () => {
    const phone = service.phone();
    for (const key of await manyKeys(10, { isTest: true })) {
      assert.equal((await send(key, phone)).status, 200);
    }
    await sendByOthers(phone, 5);
    assertRefused(await send(await service.key(), phone), 595, 600);
  });

  test('at the same moment as real ones take no place either', async () => {
    const phone = service.phone();
    const tests = await manyKeys(10, { isTest: true });
    const keys = [...tests, ...(await manyKeys(6))];
    const answers = await together(16, (i) => send(keys[i] as TestKey, phone));
    assert.deepEqual(tally(answers), { ok: 15, daily_limit_reached: 1 });
  });

  test('are not hindered', async () => {
    const phone = service.phone();
    await sendByOthers(phone, 5);
    assert.equal((await send(await service.key({ isTest: true }), phone)).status, 200);
  });

  test('do not hide the real sends of their company', async () => {
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
