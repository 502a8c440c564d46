import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { runConcurrently, type TestKey } from '../harness.ts';
import { tally } from '../money/two-nodes.ts';
import { spellings } from '../spellings.ts';
import type { ApiRequest, RawAnswer } from './barrier.ts';
import { lockAccounts, lockAlias, lockIdempotencyKey } from './contended-lock.ts';
import { outcomes, race, shuffled } from './race.ts';
import { useTwoServers } from './two-servers.ts';

const servers = useTwoServers();
const PRICE = 3;
const SAME_PRICE = ['auto', 'whatsapp', 'telegram'];

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
      body: {
        phone: written[i % 15],
        purpose: `purpose ${i % 7}`,
        channel: SAME_PRICE[i % SAME_PRICE.length],
      },
    })),
    lockAccounts(key),
  );
  // One message is sent. When the machine was too busy to settle it in time, it is not charged.
  const { ok = 0, delivery_unconfirmed: unconfirmed = 0, ...refused } = tally(release.answers);
  assert.equal(ok + unconfirmed, 1);
  assert.deepEqual(refused, { send_rate_limited: 999 });
  for (const { status, headers, body } of release.answers) {
    if (status !== 429) continue;
    const wait = Number(headers['retry-after']);
    assert(wait >= 1 && wait <= 60, `Retry-After ${wait}`);
    assert.equal(body.retry_after, wait);
  }
  const charges = await servers.charges(key.companyId);
  if (ok === 1) assert.deepEqual(charges, [{ amount: -PRICE, messages: 1 }]);
  assert.deepEqual(await servers.balance(key.companyId), { balance: before - ok * PRICE, held: 0 });
  const inbox = [...(await servers.inbox(key)), ...(await servers.inbox(sibling))];
  assert.equal(inbox.length, 1);
  // Reservations of the refused sends have failed and reached nobody.
  const messages = await servers.sql(
    `select id from message where company_id = $1 and state <> 'failed'`,
    [key.companyId],
  );
  assert.equal(messages.length, 1);
  return {
    ...outcomes(release),
    charge: charges.length,
    'message in the virtual phone': inbox.length,
  };
});

race(servers, '1,000 sends to different phones with the money for 100', async (start) => {
  const key = await servers.key({ balance: 100 * PRICE });
  const sibling = await servers.key({ companyId: key.companyId });
  const release = await start(
    Array.from({ length: 1_000 }, (_, i) => ({
      path: '/otp/send',
      key: i % 3 === 0 ? sibling.key : key.key,
      body: { phone: servers.phone(), channel: i % 2 === 0 ? 'whatsapp' : 'telegram' },
    })),
    lockAccounts(key),
  );
  const { delivery_unconfirmed: unconfirmed = 0, ...counts } = tally(release.answers);
  assert.deepEqual(counts, { ok: 100, insufficient_tokens: 900 - unconfirmed });
  const accepted = release.answers.filter(({ status }) => status === 200);
  // Each answer has the balance after its own charge: every step down to 0, once.
  assert.deepEqual(
    accepted.map(({ body }) => Number(body.balance)).sort((a, b) => a - b),
    Array.from({ length: 100 }, (_, i) => PRICE * i),
  );
  for (const { status, body } of release.answers) {
    if (status === 200) assert.equal(body.cost, PRICE);
    if (status !== 402) continue;
    assert.equal(body.message, 'Недостаточно токенов');
    assert.deepEqual([body.required, body.balance], [PRICE, 0]);
  }
  const account = await servers.balance(key.companyId);
  assert.deepEqual(account, { balance: 0, held: 0 });
  const inbox = [...(await servers.inbox(key)), ...(await servers.inbox(sibling))];
  assert.equal(inbox.length, 100 + unconfirmed);
  return { ...outcomes(release), left: account.balance, held: account.held };
});

/** Creates a few keys at a time, because the test has few connections. */
async function manyKeys(count: number): Promise<TestKey[]> {
  const keys: TestKey[] = [];
  while (keys.length < count) keys.push(...(await runConcurrently(8, () => servers.key())));
  return keys;
}

race(servers, '1,000 sends of 200 companies', async (start) => {
  const keys = await manyKeys(200);
  const { balance: before } = await servers.balance((keys[0] as TestKey).companyId);
  const sends = shuffled(
    keys.flatMap(({ key }) =>
      Array.from({ length: 5 }, (_, i) => {
        const body = { phone: servers.phone(), channel: 'whatsapp' };
        return i === 4
          ? { path: '/links/send', key, body: { ...body, url: 'https://shop.kz/' } }
          : { path: '/otp/send', key, body };
      }),
    ),
  );
  const release = await start(sends, lockAccounts(keys[100] as TestKey));
  const { ok = 0, delivery_unconfirmed: unconfirmed = 0, ...refused } = tally(release.answers);
  assert.deepEqual([ok + unconfirmed, refused], [1_000, {}]);
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
    if (unconfirmed > 0) continue;
    const charges = await servers.charges(key.companyId);
    const charged = charges.reduce((sum, { messages }) => sum + messages, 0);
    assert.equal(charged, count);
  }
  return { ...outcomes(release), 'companies with the right charge': keys.length };
});

race(servers, '24 companies that send to one phone', async (start) => {
  const keys = await manyKeys(24);
  const phone = servers.phone();
  const sends = keys.map(({ key }) => ({ path: '/otp/send', key, body: { phone } }));
  const release = await start(shuffled(sends), lockAccounts(...keys));
  const {
    ok = 0,
    delivery_unconfirmed: unconfirmed = 0,
    daily_limit_reached: refused = 0,
  } = tally(release.answers);
  assert.equal(ok + unconfirmed + refused, keys.length);
  // The limit is five, and each server may allow five before it sees the sends of the other.
  assert(ok + unconfirmed >= 5 && ok + unconfirmed <= 10, `${ok + unconfirmed} allowed`);
  const charges = await Promise.all(keys.map(({ companyId }) => servers.charges(companyId)));
  if (unconfirmed === 0) assert.equal(charges.flat().length, ok);
  return outcomes(release);
});

type ShortenBody = { url: string; alias: string };

race(servers, '1,000 creations of one alias by two companies for two pages each', async (start) => {
  const alias = `wanted-${randomUUID().slice(0, 8)}`;
  const creations: ApiRequest[] = [];
  const companies = [await servers.key(), await servers.key()];
  for (const { key } of companies) {
    for (const page of ['a', 'b']) {
      const url = `https://shop.kz/${key.slice(-6)}/${page}`;
      for (let i = 0; i < 250; i++) {
        const body: ShortenBody = { url, alias: i % 2 === 0 ? alias : alias.toUpperCase() };
        creations.push({ path: '/links/shorten', key, body });
      }
    }
  }
  const requests = shuffled(creations);
  const release = await start(requests, lockAlias(alias, companies[0] as TestKey));
  // The company that got the alias may create the same link again. All others are refused.
  assert.deepEqual(tally(release.answers), { ok: 250, alias_taken: 750 });
  const granted = requests.flatMap(({ key, body }, i) => {
    const { status, body: answer } = release.answers[i] as RawAnswer;
    return status === 200
      ? [{ key, url: (body as ShortenBody).url, shortUrl: String(answer.short_url) }]
      : [];
  });
  const owner = granted[0] as (typeof granted)[number];
  for (const link of granted) assert.deepEqual(link, owner);
  assert.deepEqual(await servers.targets(owner.shortUrl), [owner.url, owner.url]);
  return { ...outcomes(release), owner: new Set(granted.map(({ key }) => key)).size };
});

race(servers, '500 sends with one Idempotency-Key', async (start) => {
  const key = await servers.key();
  const { balance: before } = await servers.balance(key.companyId);
  const idempotencyKey = randomUUID();
  const repeat: ApiRequest = {
    path: '/otp/send',
    key: key.key,
    body: { phone: servers.phone() },
    headers: { 'idempotency-key': idempotencyKey },
  };
  const release = await start(
    Array.from({ length: 500 }, () => repeat),
    lockIdempotencyKey(key, repeat.path, idempotencyKey),
  );
  const { request_in_progress: early = 0 } = tally(release.answers);
  assert.deepEqual(tally(release.answers), {
    ok: 500 - early,
    ...(early > 0 && { request_in_progress: early }),
  });

  // Requests that got request_in_progress are repeated together until the first one has its answer.
  // If a server was too busy to store it, that takes until the idempotency claim expires.
  let { overloadedCount } = release;
  const answers = release.answers.filter(({ status }) => status === 200);
  while (answers.length < 500) {
    const again = Array.from({ length: 500 - answers.length }, () => repeat);
    const { answers: later } = await servers.release(again);
    overloadedCount += later.filter(({ status }) => status === 503).length;
    answers.push(...later.filter(({ status }) => status === 200));
    assert(answers.length === 500 || overloadedCount > 0, 'the request stays in progress for ever');
  }
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const first = answers.filter((answer) => !isReplayed(answer)).length;
  assert(first === 1 || (first === 0 && overloadedCount > 0), `${first} first answers`);

  assert.deepEqual(await servers.balance(key.companyId), { balance: before - 3, held: 0 });
  const inbox = await servers.inbox(key);
  assert.equal(inbox.length, 1);
  return { ...outcomes(release), 'same answer at the end': answers.length, send: inbox.length };
});

function isReplayed({ headers }: RawAnswer): boolean {
  return headers['idempotent-replayed'] === 'true';
}

race(
  servers,
  'two companies at two servers send the last message that a phone may get',
  async (start) => {
    const phone = servers.phone();
    // A phone gets from each company what five others have not used up.
    for (let i = 0; i < 4; i++) {
      const { status } = await servers.call(sendTo(await servers.key(), phone));
      assert.equal(status, 200);
    }
    const [first, second] = [await servers.key(), await servers.key()];
    const release = await start([sendTo(first, phone), sendTo(second, phone)], {
      text: 'select from account where company_id = any ($1) for update',
      values: [[first.companyId, second.companyId]],
    });
    const counts = tally(release.answers);
    assert.deepEqual(counts, { ok: 1, daily_limit_reached: 1 });
    return outcomes(release);
  },
);

function sendTo({ key }: TestKey, phone: string): ApiRequest {
  return { path: '/otp/send', key, body: { phone, channel: 'whatsapp' } };
}
