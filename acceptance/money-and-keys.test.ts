import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, integrator, refusal } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, zhiber } = useServer();

async function newCompany(): Promise<string> {
  return String((await zhiber('company', 'create', '--name', 'Счёт')).company_id);
}

async function newKey(company: string, ...options: string[]) {
  const created = await zhiber('key', 'create', '--company', company, '--name', 'ключ', ...options);
  const id = String(created.key_id);
  const key = String(created.key);
  return { id, key, ...integrator(running().facts.urls.site, key) };
}

async function assertAuditPasses(): Promise<void> {
  const { ok, violations } = await zhiber('audit');
  assert.equal(ok, true, JSON.stringify(violations));
}

test('the balance is exact after a list of sends, and the audit passes', async () => {
  const company = await newCompany();
  const topUp = await zhiber('topup', '--company', company, '--amount', '1000');
  assert.deepEqual([topUp.balance, topUp.bonus], [2_050, 1_000]);
  const second = await zhiber('topup', '--company', company, '--amount', '1000');
  assert.deepEqual([second.balance, second.bonus], [3_050, 0], 'the bonus comes once');
  const live = await newKey(company);
  const free = await newKey(company, '--test');
  const url = 'https://example.kz/o';
  let left = 3_050;
  const costs = [
    [live, '/otp/send', { phone: '+77013000001' }, 3],
    [live, '/otp/send', { phone: '+77013000002', channel: 'telegram' }, 3],
    [live, '/otp/send', { phone: '+77013000003', channel: 'sms', link: url }, 8],
    [live, '/links/send', { phone: '+77013000001', url, channel: 'auto' }, 3],
    [live, '/links/send', { phone: '+77013000001', url, channel: 'sms' }, 8],
    [free, '/otp/send', { phone: '+77013000004', channel: 'sms' }, 0],
    [free, '/links/send', { phone: '+77013000004', url, channel: 'sms' }, 0],
  ] as const;
  for (const [who, path, body, cost] of costs) {
    left -= cost;
    const sent = await who.call(path, body);
    assert.deepEqual([sent.status, sent.body.cost, sent.body.balance], [200, cost, left]);
  }
  // A refused send costs nothing.
  assert.equal((await live.send('+77013000001')).status, 429);
  assert.equal((await live.send('12')).status, 422);
  const last = await live.send('+77013000005');
  assert.equal(last.body.balance, left - 3);
  await assertAuditPasses();
});

test('a new price applies within a second, also on open connections', async () => {
  const live = await newKey(await newCompany());
  await zhiber('price', 'set', 'telegram', '4');
  let number = 0;
  const costOfNext = async () => {
    number += 1;
    const phone = `+7701300020${number}`;
    const request = { phone, url: 'https://example.kz/p', channel: 'telegram' };
    return Number((await live.call('/links/send', request)).body.cost);
  };
  await eventually(costOfNext, (cost) => cost === 4);
  await zhiber('price', 'set', 'telegram', '3');
  await assertAuditPasses();
});

test('a rotated key keeps its codes; the old secret works only during the overlap', async () => {
  const company = await newCompany();
  const old = await newKey(company);
  assert.equal((await old.send('+77013000301')).status, 200);
  const code = await old.codeOn('+77013000301');

  const rotated = await zhiber('key', 'rotate', old.id, '--overlap', '1');
  const next = integrator(running().facts.urls.site, String(rotated.key));
  assert.equal((await next.verify('+77013000301', code)).status, 200);
  const duringOverlap = await old.verify('+77013000301', code);
  assert.deepEqual(refusal(duringOverlap), [422, 'code_already_used']);

  await zhiber('key', 'rotate', old.id, '--overlap', '0');
  const ask = () => next.verify('+77013000301', code);
  const ended = await eventually(ask, ({ status }) => status === 401);
  assert.deepEqual(refusal(ended), [401, 'invalid_api_key']);
});

test('a revoked key is refused, and so is a wrong one', async () => {
  const company = await newCompany();
  const live = await newKey(company);
  assert.equal((await live.send('+77013000302')).status, 200);
  await zhiber('key', 'revoke', live.id);
  const ask = () => live.verify('+77013000302', '000000');
  const revoked = await eventually(ask, ({ status }) => status === 401);
  assert.deepEqual(refusal(revoked), [401, 'key_revoked']);
  assert.equal(revoked.headers.get('www-authenticate'), 'Bearer');
  const swapped = live.key.slice(0, -1) + (live.key.endsWith('a') ? 'b' : 'a');
  const typo = integrator(running().facts.urls.site, swapped);
  assert.deepEqual(refusal(await typo.send('+77013000303')), [401, 'invalid_api_key']);
});

test('a code of one key is unknown to another key', async () => {
  const company = await newCompany();
  const [one, other] = [await newKey(company), await newKey(company)];
  assert.equal((await one.send('+77013000304')).status, 200);
  const code = await one.codeOn('+77013000304');
  assert.deepEqual(await other.inbox('+77013000304'), []);
  assert.deepEqual(refusal(await other.verify('+77013000304', code)), [422, 'code_not_found']);
  assert.equal((await one.verify('+77013000304', code)).status, 200);
});
