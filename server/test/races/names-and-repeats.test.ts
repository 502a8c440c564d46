import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestKey } from '../harness.ts';
import { tally } from '../money/two-nodes.ts';
import type { Question, RawAnswer } from './barrier.ts';
import { atIdempotencyKey, atName } from './meeting.ts';
import { outcomes, race, shuffled } from './race.ts';
import { useTwoServers } from './two-servers.ts';

const servers = useTwoServers();

type Wish = { url: string; alias: string };

race(servers, '1,000 creations of one alias by two companies for two pages each', async (start) => {
  const name = `wanted-${randomUUID().slice(0, 8)}`;
  const wishes: Question[] = [];
  const companies = [await servers.key(), await servers.key()];
  for (const { key } of companies) {
    for (const page of ['a', 'b']) {
      const url = `https://shop.kz/${key.slice(-6)}/${page}`;
      for (let i = 0; i < 250; i++) {
        const alias = i % 2 === 0 ? name : name.toUpperCase();
        wishes.push({ path: '/links/shorten', key, body: { url, alias } satisfies Wish });
      }
    }
  }
  const questions = shuffled(wishes);
  const release = await start(questions, atName(name, companies[0] as TestKey));
  // Whoever has the name may ask for the same link again; everybody else is refused.
  assert.deepEqual(tally(release.answers), { ok: 250, alias_taken: 750 });
  const granted = questions.flatMap(({ key, body }, i) => {
    const { status, body: told } = release.answers[i] as RawAnswer;
    return status === 200
      ? [{ key, url: (body as Wish).url, shortUrl: String(told.short_url) }]
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
  const repeat: Question = {
    path: '/otp/send',
    key: key.key,
    body: { phone: servers.phone() },
    headers: { 'idempotency-key': idempotencyKey },
  };
  const release = await start(
    Array.from({ length: 500 }, () => repeat),
    atIdempotencyKey(key, repeat.path, idempotencyKey),
  );
  const { request_in_progress: early = 0 } = tally(release.answers);
  assert.deepEqual(tally(release.answers), {
    ok: 500 - early,
    ...(early > 0 && { request_in_progress: early }),
  });

  // Those who came while it was under way ask again, all together, and the first has its answer. If a
  // server was too busy to keep it, that takes until the claim is taken for abandoned.
  let { sentAway } = release;
  const answers = release.answers.filter(({ status }) => status === 200);
  while (answers.length < 500) {
    const again = Array.from({ length: 500 - answers.length }, () => repeat);
    const { answers: later } = await servers.release(again);
    sentAway += later.filter(({ status }) => status === 503).length;
    answers.push(...later.filter(({ status }) => status === 200));
    assert(answers.length === 500 || sentAway > 0, 'it is under way for ever');
  }
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  const first = answers.filter((answer) => !isReplayed(answer)).length;
  assert(first === 1 || (first === 0 && sentAway > 0), `${first} first answers`);

  assert.deepEqual(await servers.balance(key.companyId), { balance: before - 3, held: 0 });
  const inbox = await servers.inbox(key);
  assert.equal(inbox.length, 1);
  return { ...outcomes(release), 'same answer in the end': answers.length, send: inbox.length };
});

function isReplayed({ headers }: RawAnswer): boolean {
  return headers['idempotent-replayed'] === 'true';
}
