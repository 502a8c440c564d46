import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AUDIT_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { KEY_ENDPOINTS, type Key, type KeySettings } from '@zhiber/contract/cabinet/keys.ts';
import { until, useService } from '../harness.ts';
import { signedIn, type TestPerson } from './signed-in.ts';

const service = useService();
const { person, as } = signedIn(service);
const { keys, createKey, changeKey, rotateKey, revokeKey, endPreviousSecret } = KEY_ENDPOINTS;

const make = async (who: TestPerson, body: Parameters<typeof bodyOf>[0] = {}) =>
  (await as(who).call(createKey, { body: bodyOf(body) })).ok();
const bodyOf = (more: { name?: string; mode?: 'test' | 'live'; domain?: string }) => ({
  name: 'Сайт',
  // Nothing is charged while a change is waited for.
  mode: 'test' as const,
  ...more,
});
const keyOf = async (who: TestPerson, id: number): Promise<Key> => {
  const found = (await as(who).call(keys)).ok().keys.find((key) => key.id === id);
  assert(found !== undefined);
  return found;
};
const settingsOf = ({ id: _id, ...key }: Key, change: Partial<KeySettings>): KeySettings => ({
  name: key.name,
  domain: key.domain,
  channels: key.channels,
  code_length: key.code_length,
  code_ttl_seconds: key.code_ttl_seconds,
  fallback_seconds: key.fallback_seconds,
  language: key.language,
  brand: key.brand,
  rate_per_minute: key.rate_per_minute,
  ...change,
});
const send = (key: string, more: object = {}, headers: Record<string, string> = {}) =>
  service.call('/otp/send', { phone: service.phone(), ...more }, { key, headers });

const untilRefused = (key: string, code: string) =>
  until(code, async () => (await send(key)).body.error_code === code);

describe('a key', () => {
  test('works as soon as it is shown, and is shown once', async () => {
    const owner = await person({ role: 'owner' });
    const created = await as(owner).call(createKey, { body: bodyOf({}) });
    const { id, key } = created.ok();
    assert.equal(created.headers['cache-control'], 'no-store');
    assert.equal((await send(key)).status, 200);

    const text = JSON.stringify((await as(owner).call(keys)).ok());
    assert(!text.includes(key));
    assert.equal((await keyOf(owner, id)).shown, `${key.slice(0, 12)}…${key.slice(-4)}`);
    const { rows } = (await as(owner).call(AUDIT_ENDPOINTS.audit)).ok();
    assert(!JSON.stringify(rows).includes(key));
    assert.equal(rows[0]?.action, 'key.created');
    const kept = await service.sql('select to_jsonb(k)::text as row from api_key k');
    assert(!JSON.stringify(kept).includes(key));
  });

  test('takes the order of its channels from the next send on', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await make(owner);
    assert.equal((await send(key)).body.channel, 'whatsapp');
    const body = settingsOf(await keyOf(owner, id), { channels: ['telegram', 'whatsapp'] });
    (await as(owner).call(changeKey, { params: { id }, body })).ok();
    await until('the new order', async () => (await send(key)).body.channel === 'telegram');
    assert.equal((await send(key, { channel: 'sms' })).body.error_code, 'channel_disabled');
  });

  test('keeps at least one channel, and none twice', async () => {
    const owner = await person({ role: 'owner' });
    const { id } = await make(owner);
    const now = await keyOf(owner, id);
    for (const channels of [[], ['sms', 'sms']] as never[]) {
      const body = settingsOf(now, { channels });
      (await as(owner).call(changeKey, { params: { id }, body })).refused('validation_error');
    }
  });

  test('is bound to a domain as its owner writes it', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await make(owner, { domain: ' Дүкен.қаз ' });
    assert.equal((await keyOf(owner, id)).domain, 'xn--d1acon18c.xn--80ao21a');
    assert.equal((await send(key)).body.error_code, 'origin_required');
    const own = { origin: 'https://xn--d1acon18c.xn--80ao21a' };
    assert.equal((await send(key, {}, own)).status, 200);
    const bad = await as(owner).call(createKey, { body: bodyOf({ domain: 'https://shop.kz/' }) });
    assert.deepEqual(Object.keys(bad.refused('validation_error').errors as object), ['domain']);
  });

  test('is bound to another domain only by those who have just shown who they are', async () => {
    const owner = await person({ role: 'owner' });
    const { id } = await make(owner, { domain: 'shop.kz' });
    for (const minutes of [20, 11]) {
      await service.passTime(minutes * 60);
      await keyOf(owner, id);
    }
    const now = await keyOf(owner, id);
    const change = (settings: Partial<KeySettings>) =>
      as(owner).call(changeKey, { params: { id }, body: settingsOf(now, settings) });
    (await change({ channels: ['sms'] })).ok();
    for (const domain of ['other.kz', null]) (await change({ domain })).refused('stale_sign_in');
    assert.equal((await keyOf(owner, id)).domain, 'shop.kz');
  });

  test('that is rotated goes on with both texts, until the old one is ended', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key: old } = await make(owner);
    const rotation = { params: { id }, body: { overlap_hours: 24 } as const };
    const { key } = (await as(owner).call(rotateKey, rotation)).ok();
    assert.equal((await send(key)).status, 200);
    assert.equal((await send(old)).status, 200);
    assert.equal((await keyOf(owner, id)).state, 'rotating');

    (await as(owner).call(endPreviousSecret, { params: { id } })).ok();
    await untilRefused(old, 'invalid_api_key');
    assert.equal((await send(key)).status, 200);
    assert.equal((await keyOf(owner, id)).state, 'active');
  });

  test('that is rotated tells whether its old text is still used', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key: old } = await make(owner);
    const rotate = async () =>
      (await as(owner).call(rotateKey, { params: { id }, body: { overlap_hours: 24 } })).ok().key;
    const now = await rotate();
    await send(now);
    await until('the new one is used', async () => (await keyOf(owner, id)).used_at !== null);
    assert.equal((await keyOf(owner, id)).previous_used_at, null);
    await send(old);
    const oldOne = async () => (await keyOf(owner, id)).previous_used_at;
    await until('the old one is used', async () => (await oldOne()) !== null);
    await rotate();
    assert.equal(await oldOne(), null, 'another one is the old one now');
  });

  test('that is revoked answers 401 and cannot be changed, rotated or brought back', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await make(owner);
    const settings = settingsOf(await keyOf(owner, id), {});
    (await as(owner).call(revokeKey, { params: { id }, body: { reason: 'утёк' } })).ok();
    await untilRefused(key, 'key_revoked');
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

  test('shows how it is used: what it sent, and what was refused to it', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await make(owner);
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
    assert.deepEqual((await keyOf(owner, id)).sends_by_day, [0, 0, 0, 0, 0, 0, 3]);
  });

  test('shows when it was last used', async () => {
    const owner = await person({ role: 'owner' });
    const { id, key } = await make(owner);
    assert.equal((await keyOf(owner, id)).used_at, null);
    await send(key);
    await until('its use is noted', async () => (await keyOf(owner, id)).used_at !== null);
  });
});
