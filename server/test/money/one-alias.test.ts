import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestKey, together } from '../harness.ts';
import { tally, useTwoNodes } from './two-nodes.ts';

const { service, post } = useTwoNodes();

async function ownersOf(alias: string) {
  return await service.sql<{ company_id: number; url: string }>(
    'select company_id, url from link where folded = lower($1)',
    [alias],
  );
}

test('a name that two companies ask for 300 times each has one owner', async () => {
  const keys = [await service.key(), await service.key()];
  const answers = await together(600, (i) =>
    post(
      // Both companies ask both nodes.
      Math.floor(i / 2),
      '/links/shorten',
      {
        url: `https://company-${i % 2}.kz/sale`,
        alias: i % 3 === 0 ? 'Spring-Sale' : 'spring-sale',
      },
      keys[i % 2] as TestKey,
    ),
  );
  const owners = await ownersOf('spring-sale');
  assert.equal(owners.length, 1);
  const winner = keys.findIndex((key) => key.companyId === owners[0]?.company_id);
  assert.deepEqual(
    tally(answers.filter((_, i) => i % 2 === winner)),
    { ok: 300 },
    'the same company, name and address again is the same link',
  );
  assert.deepEqual(tally(answers.filter((_, i) => i % 2 !== winner)), { alias_taken: 300 });
  assert.equal(owners[0]?.url, `https://company-${winner}.kz/sale`);
  const urls = new Set(answers.map(({ body }) => body.short_url).filter((url) => url));
  assert.equal(urls.size, 1);
});

test('a name that one company asks for with 200 addresses leads to one of them', async () => {
  const key = await service.key();
  const answers = await together(200, (i) =>
    post(i, '/links/shorten', { url: `https://shop.kz/${i}`, alias: 'one-of-many' }, key),
  );
  assert.deepEqual(tally(answers), { ok: 1, alias_taken: 199 });
  const winner = answers.findIndex((answer) => answer.status === 200);
  assert.deepEqual(await ownersOf('one-of-many'), [
    { company_id: key.companyId, url: `https://shop.kz/${winner}` },
  ]);
});

test('an expired name never passes to another company, not even in a race', async () => {
  const owner = await service.key();
  const url = 'https://shop.kz/';
  await service.call('/links/shorten', { url, alias: 'short-lived', expires_in: 60 }, owner);
  await service.passTime(61);
  const stranger = await service.key();
  const answers = await together(100, (i) =>
    post(i, '/links/shorten', { url: 'https://other.kz/', alias: 'Short-Lived' }, stranger),
  );
  assert.deepEqual(tally(answers), { alias_taken: 100 });
  const again = await service.call('/links/shorten', { url, alias: 'short-lived' }, owner);
  assert.equal(again.status, 200);
});
