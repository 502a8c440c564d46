import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { OVERVIEW_ENDPOINTS } from '@zhiber/contract/cabinet/overview.ts';
import { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { readBroadcastKey } from '../../src/broadcasts/run/broadcast-key.ts';
import { findListedCompany } from '../../src/company/company-list-store.ts';
import type { CompanyId } from '../../src/ids.ts';
import {
  dropPreviousSecret,
  findKeyByName,
  findOldestKey,
  listOwnKeys,
  markKeyRevoked,
} from '../../src/keys/key-store.ts';
import { newKeyText, shownParts } from '../../src/keys/key-text.ts';
import { limitKey, renewKey, revokeKey, rotateKey } from '../../src/keys/manage-keys.ts';
import { findCompanies, searchCompanies } from '../../src/operators/company-store.ts';
import { readCompanyTerms } from '../../src/operators/company-terms.ts';
import { hashOfToken } from '../../src/token.ts';
import { createCabinetClient } from '../cabinet/cabinet-client.ts';
import { advanceProcessClock, runConcurrently, useService } from '../harness.ts';

const service = useService();
const { person, as } = createCabinetClient(service);
const { keys, keyUse, changeKey, rotateKey: rotate, revokeKey: revoke } = KEY_ENDPOINTS;

/** A company whose hidden key has a secret and a text that somebody knows, as no real one has. */
async function createLeaked() {
  const owner = await person({ role: 'owner' });
  const companyId = owner.companyId as CompanyId;
  const { id: keyId } = await readBroadcastKey(service.ctx, companyId);
  const text = newKeyText(false);
  const { shownStart, shownEnd } = shownParts(text);
  await service.sql(
    `update api_key set secret_hash = $2, shown_start = $3, shown_end = $4, created_at = created_at - interval '90 days'
     where id = $1`,
    [keyId, hashOfToken(text), shownStart, shownEnd],
  );
  advanceProcessClock();
  return { owner, companyId, keyId, text };
}

const stored = async (keyId: number) =>
  JSON.stringify(await service.sql('select * from api_key where id = $1', [keyId]));

describe('the key of broadcasts', () => {
  test('is one for a company, however many nodes create it at once', async () => {
    const companyId = await service.company();
    const found = await runConcurrently(8, () => readBroadcastKey(service.ctx, companyId));
    assert.equal(new Set(found.map(({ id }) => id)).size, 1);
    const [key] = found;
    assert.deepEqual(key?.channels, ['whatsapp', 'telegram', 'sms']);
    assert.deepEqual([key?.isTest, key?.fallbackSeconds, key?.isRevoked], [false, 120, false]);
    const again = await readBroadcastKey(service.ctx, await service.company());
    assert.notEqual(again.id, key?.id);
  });

  test('speaks as its company does, also after a change', async () => {
    const companyId = await service.company();
    const before = await readBroadcastKey(service.ctx, companyId);
    assert.deepEqual([before.language, before.brand], ['ru', null]);
    await service.sql(`update company set language = 'kk', brand = 'Лавка' where id = $1`, [
      companyId,
    ]);
    await readBroadcastKey(service.ctx, companyId);
    advanceProcessClock();
    const after = await readBroadcastKey(service.ctx, companyId);
    assert.deepEqual([after.id, after.language, after.brand], [before.id, 'kk', 'Лавка']);
    const versions = () => service.sql('select version from key_version');
    const version = await versions();
    await readBroadcastKey(service.ctx, companyId);
    assert.deepEqual(await versions(), version, 'reading it makes no node reload its keys');
  });

  test('is in no list and no count of keys', async () => {
    const { owner, companyId, keyId, text } = await createLeaked();
    assert.deepEqual((await as(owner).call(keys)).ok().keys, []);
    assert.deepEqual(await listOwnKeys(service.ctx.db, companyId), []);
    assert.equal((await findListedCompany(service.ctx.db, companyId))?.keys, 0);
    const page = { since: new Date(), state: undefined, after: undefined, rowsMax: 500 };
    const listed = await findCompanies(service.ctx.db, page);
    assert.equal(listed.find(({ id }) => id === companyId)?.keys, 0);
    const found = await searchCompanies(service.ctx.db, readCompanyTerms(text), page);
    assert.deepEqual(found, []);
    const { steps, problems } = (await as(owner).call(OVERVIEW_ENDPOINTS.overview)).ok();
    assert.equal(steps.has_live_key, false);
    assert.deepEqual(
      problems.filter(({ kind }) => kind === 'key_idle'),
      [],
    );
    const byName = { companyId, name: 'Рассылки', isTest: false };
    assert.equal(await findKeyByName(service.ctx.db, byName), undefined);
    const oldest = { channel: 'sms', modes: ['live', 'test'] } as const;
    assert.equal(await findOldestKey(service.ctx.db, companyId, oldest), undefined);
    assert((await stored(keyId)).includes('Рассылки'));
  });

  test('does not count among the hundred keys of a company', async () => {
    const { owner, companyId } = await createLeaked();
    await service.sql(
      `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
         code_ttl_seconds, fallback_seconds, language)
       select $1, 'k', true, decode(md5('of a hundred' || n), 'hex'), '', '', '{sms}', 6, 300, 30, 'ru'
       from generate_series(1, 99) n`,
      [companyId],
    );
    const body = { name: 'Сотый', mode: 'test' } as const;
    (await as(owner).call(KEY_ENDPOINTS.createKey, { body })).ok();
    (await as(owner).call(KEY_ENDPOINTS.createKey, { body })).refused('too_many');
  });

  test('opens nothing, even to who knows its secret', async () => {
    const { text: key } = await createLeaked();
    const send = await service.call('/otp/send', { phone: service.phone() }, { key });
    assert.deepEqual([send.status, send.body.error_code], [401, 'invalid_api_key']);
  });

  test('can be neither changed nor used by people', async () => {
    const { owner, companyId, keyId } = await createLeaked();
    const before = await stored(keyId);
    const params = { id: keyId };
    const settings = {
      ...{ name: 'Моя', domain: null, channels: ['sms' as const], code_length: 6 },
      ...{ code_ttl_seconds: 300, fallback_seconds: 30, language: 'ru' as const, brand: null },
      ...{ rate_per_minute: 1, monthly_cap: 1, daily_cap: 1, expires_at: null },
    };
    const calls = [
      as(owner).call(changeKey, { params, body: settings }),
      as(owner).call(rotate, { params, body: { overlap_hours: 24 } }),
      as(owner).call(KEY_ENDPOINTS.endPreviousSecret, { params }),
      as(owner).call(revoke, { params, body: {} }),
      as(owner).call(keyUse, { params }),
      as(owner).call(PLAYGROUND_ENDPOINTS.runOperation, {
        body: { key_id: keyId, operation: 'otpSend', body: { phone: service.phone() } },
      }),
      as(owner).call(PLAYGROUND_ENDPOINTS.phoneMessages, { query: { key_id: keyId } }),
    ];
    for (const call of calls) (await call).refused('not_found');
    // As the operator's desk and command line do.
    const ref = { companyId, keyId };
    const limits = { ratePerMinute: 1, monthlyCap: 1 };
    const write = () => Promise.resolve();
    await assert.rejects(limitKey(service.ctx, {}, { ...ref, limits, write }), {
      code: 'not_found',
    });
    await assert.rejects(renewKey(service.ctx, {}, { ...ref, overlapHours: 0 }), {
      code: 'not_found',
    });
    await assert.rejects(revokeKey(service.ctx, {}, ref), { code: 'not_found' });
    assert.equal(await rotateKey(service.ctx.db, keyId, 0), undefined);
    assert.equal(await markKeyRevoked(service.ctx.db, ref), false);
    assert.equal(await dropPreviousSecret(service.ctx.db, ref), false);
    assert.equal(await stored(keyId), before);
  });
});
