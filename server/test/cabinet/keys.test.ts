import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { KEY_ENDPOINTS, type Key, type KeySettings } from '@zhiber/contract/cabinet/keys.ts';
import { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { until, useService } from '../harness.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const { keys, createKey, changeKey, rotateKey, revokeKey, endPreviousSecret } = KEY_ENDPOINTS;

const create = async (who: TestPerson, body: Parameters<typeof createBody>[0] = {}) =>
  (await as(who).call(createKey, { body: createBody(body) })).ok();
const createBody = (more: { name?: string; mode?: 'test' | 'live'; domain?: string }) => ({
  name: 'Сайт',
  // A test key, because polling for a change sends messages that must not be charged.
  mode: 'test' as const,
  ...more,
});
const readKey = async (who: TestPerson, id: number): Promise<Key> => {
  const found = (await as(who).call(keys)).ok().keys.find((key) => key.id === id);
  assert(found !== undefined);
  return found;
};
const settingsWith = ({ id: _id, ...key }: Key, change: Partial<KeySettings>): KeySettings => ({
  name: key.name,
  domain: key.domain,
  channels: key.channels,
  code_length: key.code_length,
  code_ttl_seconds: key.code_ttl_seconds,
  fallback_seconds: key.fallback_seconds,
  language: key.language,
  brand: key.brand,
  rate_per_minute: key.rate_per_minute,
  monthly_cap: key.monthly_cap,
  daily_cap: key.daily_cap,
  expires_at: key.expires_at,
  ...change,
});
const send = (key: string, more: object = {}, headers: Record<string, string> = {}) =>
  service.call('/otp/send', { phone: service.phone(), ...more }, { key, headers });

const waitUntilRefused = (key: string, code: string) =>
  until(code, async () => (await send(key)).body.error_code === code);

describe('a key', () => {
  test('works as soon as it is created, and is shown only once', async () => {
    const owner = await person({ role: 'owner' });
    const created = await as(owner).call(createKey, { body: createBody({}) });
    const { id, key } = created.ok();
    assert.equal(created.headers['cache-control'], 'no-store');
    assert.equal((await send(key)).status, 200);

    const text = JSON.stringify((await as(owner).call(keys)).ok());
    assert(!text.includes(key));
    assert.equal((await readKey(owner, id)).shown, `${key.slice(0, 12)}…${key.slice(-4)}`);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert(!JSON.stringify(rows).includes(key));
    assert.equal(rows[0]?.action, 'key.created');
    const stored = await service.sql('select to_jsonb(k)::text as row from api_key k');
    assert(!JSON.stringify(stored).includes(key));
  });

  test('uses a new channel order for the next sends', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner);
    assert.equal((await send(key)).body.channel, 'whatsapp');
    const body = settingsWith(await readKey(owner, id), { channels: ['telegram', 'whatsapp'] });
    (await as(owner).call(changeKey, { params: { id }, body })).ok();
    await until('the new order', async () => (await send(key)).body.channel === 'telegram');
    assert.equal((await send(key, { channel: 'sms' })).body.error_code, 'channel_disabled');
  });

  test('needs at least one channel and allows no duplicates', async () => {
    const owner = await person({ role: 'owner' });
    const { id } = await create(owner);
    const now = await readKey(owner, id);
    for (const channels of [[], ['sms', 'sms']] as never[]) {
      const body = settingsWith(now, { channels });
      (await as(owner).call(changeKey, { params: { id }, body })).refused('validation_error');
    }
  });

  test('is bound to a domain, which is normalised', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner, { domain: ' Дүкен.қаз ' });
    assert.equal((await readKey(owner, id)).domain, 'xn--d1acon18c.xn--80ao21a');
    assert.equal((await send(key)).body.error_code, 'origin_required');
    const own = { origin: 'https://xn--d1acon18c.xn--80ao21a' };
    assert.equal((await send(key, {}, own)).status, 200);
    const bad = await as(owner).call(createKey, {
      body: createBody({ domain: 'https://shop.kz/' }),
    });
    assert.deepEqual(Object.keys(bad.refused('validation_error').errors as object), ['domain']);
  });

  test('can be bound to another domain only after a recent sign-in', async () => {
    const owner = await person({ role: 'owner' });
    const { id } = await create(owner, { domain: 'shop.kz' });
    for (const minutes of [20, 11]) {
      await service.passTime(minutes * 60);
      await readKey(owner, id);
    }
    const now = await readKey(owner, id);
    const change = (settings: Partial<KeySettings>) =>
      as(owner).call(changeKey, { params: { id }, body: settingsWith(now, settings) });
    (await change({ channels: ['sms'] })).ok();
    for (const domain of ['other.kz', null]) (await change({ domain })).refused('stale_sign_in');
    assert.equal((await readKey(owner, id)).domain, 'shop.kz');
  });

  test('works with both secrets after a rotation until the old secret is ended', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key: old } = await create(owner);
    const rotation = { params: { id }, body: { overlap_hours: 24 } as const };
    const { key } = (await as(owner).call(rotateKey, rotation)).ok();
    assert.equal((await send(key)).status, 200);
    assert.equal((await send(old)).status, 200);
    assert.equal((await readKey(owner, id)).state, 'rotating');

    (await as(owner).call(endPreviousSecret, { params: { id } })).ok();
    await waitUntilRefused(old, 'invalid_api_key');
    assert.equal((await send(key)).status, 200);
    assert.equal((await readKey(owner, id)).state, 'active');
  });

  test('shows after a rotation whether the old secret is still used', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key: old } = await create(owner);
    const rotate = async () =>
      (await as(owner).call(rotateKey, { params: { id }, body: { overlap_hours: 24 } })).ok().key;
    const now = await rotate();
    await send(now);
    await until(
      'the use of the new secret is recorded',
      async () => (await readKey(owner, id)).used_at !== null,
    );
    assert.equal((await readKey(owner, id)).previous_used_at, null);
    await send(old);
    const previousUsedAt = async () => (await readKey(owner, id)).previous_used_at;
    await until(
      'the use of the old secret is recorded',
      async () => (await previousUsedAt()) !== null,
    );
    await rotate();
    assert.equal(await previousUsedAt(), null, 'the previous secret is another one now');
  });

  test('is refused with 401 once revoked and can no longer be changed or rotated', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner);
    const settings = settingsWith(await readKey(owner, id), {});
    (await as(owner).call(revokeKey, { params: { id }, body: { reason: 'утёк' } })).ok();
    await waitUntilRefused(key, 'key_revoked');
    const params = { id };
    (await as(owner).call(changeKey, { params, body: settings })).refused('key_not_active');
    (await as(owner).call(rotateKey, { params, body: { overlap_hours: 0 } })).refused(
      'key_not_active',
    );
    (await as(owner).call(revokeKey, { params, body: {} })).ok();
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual(
      rows.map((row) => row.action),
      ['key.revoked', 'key.created'],
    );
  });

  test('is in the audit log with its caps', async () => {
    const owner = await person({ role: 'owner' });
    const body = { ...createBody({ mode: 'live' }), monthly_cap: 50_000, daily_cap: 2_000 };
    const { id } = (await as(owner).call(createKey, { body })).ok();
    const now = await readKey(owner, id);
    const settings = settingsWith(now, { monthly_cap: null, daily_cap: 3_000 });
    (await as(owner).call(changeKey, { params: { id }, body: settings })).ok();
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    const [changed, created] = rows;
    assert.deepEqual(changed?.before, { monthlyCap: 50_000, dailyCap: 2_000 });
    assert.deepEqual(changed?.after, { monthlyCap: null, dailyCap: 3_000 });
    const { monthlyCap, dailyCap } = created?.after ?? {};
    assert.deepEqual([monthlyCap, dailyCap], [50_000, 2_000]);
  });

  test('has an end that has to come, can be moved, and is in the audit log', async () => {
    const owner = await person({ role: 'owner' });
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const [past, end, later] = [inDays(-1), inDays(30), inDays(60)];
    const body = { ...createBody({}), expires_at: past };
    (await as(owner).call(createKey, { body })).refused('validation_error');
    const tooLate = { ...body, expires_at: inDays(3_651) };
    (await as(owner).call(createKey, { body: tooLate })).refused('validation_error');
    const made = (await as(owner).call(createKey, { body: { ...body, expires_at: end } })).ok();
    const { id } = made;
    const now = await readKey(owner, id);
    assert.deepEqual([now.expires_at, now.state], [end, 'active']);
    const change = (settings: Partial<KeySettings>) =>
      as(owner).call(changeKey, { params: { id }, body: settingsWith(now, settings) });
    (await change({ expires_at: past })).refused('validation_error');
    (await change({ expires_at: later })).ok();
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual([rows[0]?.before, rows[0]?.after], [{ expiresAt: end }, { expiresAt: later }]);
  });

  test('that has expired can be renamed and extended, but sends nothing', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner);
    await service.sql(
      `update api_key set expires_at = clock_timestamp() - interval '1 day' where id = $1`,
      [id],
    );
    await waitUntilRefused(key, 'key_revoked');
    const now = await readKey(owner, id);
    assert.equal(now.state, 'expired');
    const run = { key_id: id, operation: 'otpSend' as const, body: { phone: service.phone() } };
    const { runOperation } = PLAYGROUND_ENDPOINTS;
    (await as(owner).call(runOperation, { body: run })).refused('key_not_active');
    const change = (settings: Partial<KeySettings>) =>
      as(owner).call(changeKey, { params: { id }, body: settingsWith(now, settings) });
    (await change({ name: 'Старый' })).ok();
    assert.equal((await readKey(owner, id)).state, 'expired');
    (await change({ expires_at: null })).ok();
    assert.equal((await readKey(owner, id)).state, 'active');
    await until('it works again', async () => (await send(key)).status === 200);
  });

  test('lives longer only after a recent sign-in, and shorter without one', async () => {
    const owner = await person({ role: 'owner' });
    const { id } = await create(owner);
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const change = async (settings: Partial<KeySettings>) => {
      const body = settingsWith(await readKey(owner, id), settings);
      return await as(owner).call(changeKey, { params: { id }, body });
    };
    (await change({ expires_at: inDays(30) })).ok();
    for (const minutes of [20, 11]) {
      await service.passTime(minutes * 60);
      await readKey(owner, id);
    }
    (await change({ expires_at: inDays(20) })).ok();
    for (const expires_at of [inDays(40), null]) {
      (await change({ expires_at })).refused('stale_sign_in');
    }
  });

  test('has a daily cap beside the monthly one, but not as a test key', async () => {
    const owner = await person({ role: 'owner' });
    const body = { ...createBody({}), daily_cap: 5 };
    (await as(owner).call(createKey, { body })).refused('validation_error');
    const live = { ...body, mode: 'live' as const, monthly_cap: 50 };
    const { id } = (await as(owner).call(createKey, { body: live })).ok();
    const { daily_cap, monthly_cap, spent_today, spent_this_month } = await readKey(owner, id);
    assert.deepEqual([daily_cap, monthly_cap, spent_today, spent_this_month], [5, 50, 0, 0]);
  });

  test('gets the signature of the company with others, each in the audit log', async () => {
    const owner = await person({ role: 'owner' });
    const stranger = await person({ role: 'owner' });
    const ids = [];
    for (const name of ['Первый', 'Второй', 'Отозванный']) {
      ids.push((await create(owner, { name })).id);
    }
    const [first, second, revoked] = ids as [number, number, number];
    (await as(owner).call(revokeKey, { params: { id: revoked }, body: {} })).ok();
    const { changeKeyBrands } = KEY_ENDPOINTS;
    const foreign = await create(stranger);
    const mixed = { ids: [first, foreign.id], brand: 'Лавка' };
    (await as(owner).call(changeKeyBrands, { body: mixed })).refused('not_found');
    assert.equal((await readKey(owner, first)).brand, null, 'all or none');
    const body = { ids, brand: 'Лавка' };
    assert.equal((await as(owner).call(changeKeyBrands, { body })).ok().changed, 2);
    assert.equal((await as(owner).call(changeKeyBrands, { body })).ok().changed, 0);
    for (const id of [first, second]) assert.equal((await readKey(owner, id)).brand, 'Лавка');
    assert.equal((await readKey(owner, revoked)).brand, null);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert.deepEqual(
      rows.slice(0, 2).map(({ action, object, before, after }) => [action, object, before, after]),
      ['Второй', 'Первый'].map((name) => [
        'key.changed',
        name,
        { brand: null },
        { brand: 'Лавка' },
      ]),
    );
  });

  test('shows its usage: sends and refused calls', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner);
    for (let i = 0; i < 3; i++) await send(key);
    await send(key, { phone: 'junk' });
    const use = KEY_ENDPOINTS.keyUse;
    const read = async () => (await as(owner).call(use, { params: { id } })).ok();
    await until('the refusal is in the log', async () => (await read()).errors.length === 1);
    const { sends, sends_last_day, buckets, errors } = await read();
    assert.deepEqual({ sends, sends_last_day }, { sends: 3, sends_last_day: 3 });
    assert.equal(buckets.length, 7);
    assert.deepEqual(buckets.at(-1)?.sends, 3);
    assert.deepEqual(errors, [{ error_code: 'invalid_phone', count: 1 }]);
    assert.deepEqual((await readKey(owner, id)).sends_by_day, [0, 0, 0, 0, 0, 0, 3]);
  });

  test('shows when it was last used', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await create(owner);
    assert.equal((await readKey(owner, id)).used_at, null);
    await send(key);
    await until('its use is recorded', async () => (await readKey(owner, id)).used_at !== null);
  });
});
