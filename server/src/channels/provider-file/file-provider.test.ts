import assert from 'node:assert/strict';
import { test } from 'node:test';
import pino from 'pino';
import { readProviderFile } from '../../config/provider-file/read-provider-file.ts';
import type { CompanyId, MessageId } from '../../ids.ts';
import type { Provider } from '../provider.ts';
import { callbackUrlOf, openFileProvider, valuesOf } from './file-provider.ts';

const ANSWER = { format: 'json', id: '/id' };
const URL = 'https://a.kz/?to={{phone}}&text={{text}}&id={{id}}';
const RECEIPTS = {
  format: 'query',
  id: 'id',
  status: 'status',
  statuses: { '1': 'delivered' },
  path_secret: '{{secret.GATE}}',
};
const { id: _, ...BY_REFERENCE } = { ...RECEIPTS, reference: 'id' };
const STATUS = { format: 'json', status: '/s', statuses: { '1': 'delivered' }, id: '/id' };

function describeGate(changes: object = {}, send: object = {}) {
  const file = { name: 'gate', channel: 'sms', send: { url: URL, answer: ANSWER, ...send } };
  const { description, mistakes } = readProviderFile(JSON.stringify({ ...file, ...changes }));
  assert.ok(description, String(mistakes));
  return description;
}

async function openGate(changes: object, send?: object): Promise<Provider> {
  const description = describeGate(changes, send);
  const provider = openFileProvider(
    { description, secrets: { GATE: 'x' } },
    { log: pino({ level: 'silent' }) },
  );
  await provider.stop?.();
  return provider;
}

test('receipts name a message as the file says, or there are none', async () => {
  const keyOf = async (changes: object) => (await openGate(changes)).receiptKey;
  assert.equal(await keyOf({ receipts: RECEIPTS }), 'id');
  assert.equal(await keyOf({ receipts: BY_REFERENCE }), 'ref');
  assert.equal(await keyOf({}), 'none');
  const status = { url: 'https://a.kz/{{provider_id}}', answer: STATUS };
  assert.equal(await keyOf({ status }), 'ref');
});

test('a message is repeated or asked for only when the file says that it can be', async () => {
  const plain = await openGate({});
  assert.deepEqual([plain.deduplicates, plain.canQueryByRef], [false, false]);
  assert.equal((await openGate({}, { repeats_ignored: true })).deduplicates, true);
  const byId = { url: 'https://a.kz/{{provider_id}}', answer: STATUS };
  assert.equal((await openGate({ status: byId })).canQueryByRef, false);
  const byReference = { url: 'https://a.kz/{{id}}', answer: STATUS };
  assert.equal((await openGate({ status: byReference })).canQueryByRef, true);
});

test('limits and contents are those of the file', async () => {
  const usual = await openGate({});
  assert.deepEqual([...usual.carries], ['code', 'code_with_link', 'text', 'broadcast']);
  assert.deepEqual(
    [usual.ratePerSecond, usual.inFlightMax, usual.idsRepeat],
    Array(3).fill(undefined),
  );
  const receipts = { ...RECEIPTS, phone: 'to' };
  const limits = { rate: 5, in_flight: 3, carries: ['code'], ids_repeat: true, receipts };
  const limited = await openGate(limits);
  assert.deepEqual([...limited.carries], ['code']);
  assert.deepEqual([limited.ratePerSecond, limited.inFlightMax, limited.idsRepeat], [5, 3, true]);
});

test('the address of callbacks has the secret, encoded', () => {
  const callbackUrl = 'https://zhiber.kz/callbacks/gate';
  const secrets = () => 'a/b c';
  const described = (changes: object) => ({ description: describeGate(changes), callbackUrl });
  assert.equal(
    callbackUrlOf(described({ receipts: RECEIPTS }), secrets),
    `${callbackUrl}/a%2Fb%20c`,
  );
  assert.equal(callbackUrlOf(described({}), secrets), callbackUrl);
});

test('a check without a question for the balance says so', async () => {
  assert.deepEqual(await (await openGate({})).check(AbortSignal.timeout(1_000)), {
    ok: true,
    warning: true,
    detail: 'Not asked: the file has no "balance", by which the gateway could be checked.',
  });
});

test('a code is valid for a minute at least, and a link without end', () => {
  const message = {
    ref: {
      companyId: 1 as CompanyId,
      attempt: 1,
      messageId: '00000000-0000-7000-8000-000000000000' as MessageId,
    },
    text: 'x',
    language: 'ru',
  } as const;
  const description = describeGate();
  const validity = (ttlSeconds?: number) => {
    const values = valuesOf(
      { ...message, ttlSeconds },
      { to: '7', description, callbackUrl: undefined },
    );
    return [values.ttl_seconds, values.ttl_minutes];
  };
  assert.deepEqual(validity(30.4), ['30', '1']);
  assert.deepEqual(validity(299), ['299', '4']);
  assert.deepEqual(validity(), [undefined, undefined]);
});
