import assert from 'node:assert/strict';
import { type TestKey, together } from '../harness.ts';
import { tally } from '../money/two-nodes.ts';
import { spellings } from '../spellings.ts';
import { atAccount } from './meeting.ts';
import { outcomes, race, shuffled } from './race.ts';
import { useTwoServers } from './two-servers.ts';

const servers = useTwoServers();
const PRICE = 3;

function chargesOf({ companyId }: TestKey) {
  return servers.sql<{ amount: number; messages: number }>(
    `select amount, messages from entry where company_id = $1 and kind = 'charge'`,
    [companyId],
  );
}

race(servers, '1,000 sends to one phone in 15 spellings', async (start) => {
  const key = await servers.key();
  const sibling = await servers.key({ companyId: key.companyId });
  const { balance: before } = await servers.balance(key.companyId);
  const phone = servers.phone();
  const written = spellings(phone.slice('+7'.length));
  assert.equal(new Set(written).size, 15);
  const release = await start(
    Array.from({ length: 1_000 }, (_, i) => ({
      path: '/otp/send',
      key: i % 3 === 0 ? sibling.key : key.key,
      body: { phone: written[i % 15], purpose: `purpose ${i % 7}` },
    })),
    atAccount(key),
  );
  // One leaves. Where the machine was too busy to write that down in time, it is free of charge.
  const { ok = 0, delivery_unconfirmed: free = 0, ...refused } = tally(release.answers);
  assert.equal(ok + free, 1);
  assert.deepEqual(refused, { send_rate_limited: 999 });
  for (const { status, headers, body } of release.answers) {
    if (status !== 429) continue;
    const wait = Number(headers['retry-after']);
    assert(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
    assert.equal(body.retry_after, wait);
  }
  const charges = await chargesOf(key);
  if (ok === 1) assert.deepEqual(charges, [{ amount: -PRICE, messages: 1 }]);
  assert.deepEqual(await servers.balance(key.companyId), { balance: before - ok * PRICE, held: 0 });
  const inbox = [...(await servers.inbox(key)), ...(await servers.inbox(sibling))];
  assert.equal(inbox.length, 1);
  return {
    ...outcomes(release),
    charge: charges.length,
    'message in the virtual phone': inbox.length,
  };
});

race(servers, '1,000 sends to different phones with the money for 100', async (start) => {
  const key = await servers.key({ balance: 100 * PRICE });
  const release = await start(
    Array.from({ length: 1_000 }, () => ({
      path: '/otp/send',
      key: key.key,
      body: { phone: servers.phone(), channel: 'whatsapp' },
    })),
    atAccount(key),
  );
  const { delivery_unconfirmed: free = 0, ...counts } = tally(release.answers);
  assert.deepEqual(counts, { ok: 100, insufficient_tokens: 900 - free });
  const accepted = release.answers.filter(({ status }) => status === 200);
  // Each is told the balance after its own charge: every step down to 0, once.
  assert.deepEqual(
    accepted.map(({ body }) => Number(body.balance)).sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, i) => PRICE * i),
  );
  for (const { status, body } of release.answers) {
    if (status === 200) assert.equal(body.cost, PRICE);
    if (status === 402) assert.deepEqual([status, body.required, body.balance], [402, PRICE, 0]);
  }
  const account = await servers.balance(key.companyId);
  assert.deepEqual(account, { balance: 0, held: 0 });
  assert.equal((await servers.inbox(key)).length, 100 + free);
  return { ...outcomes(release), left: account.balance, held: account.held };
});

/** A few at a time: the connections of the test are not what is to be tried. */
async function manyKeys(count: number): Promise<TestKey[]> {
  const keys: TestKey[] = [];
  while (keys.length < count) keys.push(...(await together(8, () => servers.key())));
  return keys;
}

race(servers, '1,000 sends of 200 companies', async (start) => {
  const keys = await manyKeys(200);
  const { balance: before } = await servers.balance((keys[0] as TestKey).companyId);
  const sends = shuffled(
    keys.flatMap(({ key }) =>
      Array.from({ length: 5 }, () => ({
        path: '/otp/send',
        key,
        body: { phone: servers.phone(), channel: 'whatsapp' },
      })),
    ),
  );
  const release = await start(sends, atAccount(keys[100] as TestKey));
  const { ok = 0, delivery_unconfirmed: free = 0, ...refused } = tally(release.answers);
  assert.deepEqual([ok + free, refused], [1_000, {}]);
  const served = Map.groupBy(
    sends.filter((_, i) => release.answers[i]?.status === 200),
    ({ key }) => key,
  );
  for (const key of keys) {
    const count = served.get(key.key)?.length ?? 0;
    assert.deepEqual(await servers.balance(key.companyId), {
      balance: before - count * PRICE,
      held: 0,
    });
    if (free > 0) continue;
    const charges = await chargesOf(key);
    const charged = charges.reduce((sum, { messages }) => sum + messages, 0);
    assert.equal(charged, count);
  }
  return { ...outcomes(release), 'companies charged for what was sent': keys.length };
});

race(servers, '24 companies that write to one phone', async (start) => {
  const keys = await manyKeys(24);
  const phone = servers.phone();
  const sends = keys.map(({ key }) => ({ path: '/otp/send', key, body: { phone } }));
  const release = await start(shuffled(sends), atAccount(...keys));
  const {
    ok = 0,
    delivery_unconfirmed: free = 0,
    daily_limit_reached: refused = 0,
  } = tally(release.answers);
  assert.equal(ok + free + refused, keys.length);
  // Exactly five for each server that has not seen what the other does.
  assert(ok + free >= 5 && ok + free <= 10, `${ok + free} let through`);
  const charges = await Promise.all(keys.map(chargesOf));
  if (free === 0) assert.equal(charges.flat().length, ok);
  return outcomes(release);
});
