import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { ReceiptsDescription } from '../../config/provider-file/description.ts';
import { readProviderFile } from '../../config/provider-file/read-provider-file.ts';
import { type CompanyId, newId } from '../../ids.ts';
import type { CallbackRequest } from '../provider.ts';
import { shortRefText } from '../short-ref.ts';
import { readCallback } from './read-callback.ts';

const SECRET = 'a secret & more';
const REF = { companyId: 17 as CompanyId, attempt: 2, messageId: newId(Date.now()) };

const PATH = { path_secret: '{{secret.GATE}}' };
const STATUSES = {
  status: 'status',
  statuses: { '1': 'delivered', '2': { failed: 'Не доставлено' }, '3': 'sent' },
};

function describeReceipts(receipts: object): ReceiptsDescription {
  const { description, mistakes } = readProviderFile(
    JSON.stringify({
      name: 'gate',
      channel: 'sms',
      send: {
        url: 'https://a.kz/?to={{phone}}&text={{text}}&id={{id}}',
        answer: { format: 'json', id: '/id' },
      },
      receipts,
    }),
  );
  assert.ok(description?.receipts, String(mistakes));
  return description.receipts;
}

function read(
  receipts: object,
  request: Partial<Omit<CallbackRequest, 'body'>> & { body?: string },
) {
  const { body = '', ...others } = request;
  return readCallback(
    { method: 'POST', headers: {}, query: {}, ...others, body: Buffer.from(body) },
    describeReceipts(receipts),
    (name) => (name === 'secret.GATE' ? SECRET : undefined),
  );
}

const delivered = { receipt: 'delivered' };
const failed = { receipt: 'failed', reason: 'Не доставлено' };

test('a query is read by GET and POST', () => {
  const rules = { format: 'query', id: 'id', ...STATUSES, ...PATH };
  for (const method of ['GET', 'POST'] as const) {
    const query = { id: 'p1', status: '1' };
    const content = read(rules, { method, query, pathSecret: SECRET });
    assert.deepEqual(content?.reports, [{ providerId: 'p1', ...delivered }]);
  }
});

test('a form is read by POST only, and a field that comes twice is not', () => {
  const rules = { format: 'form', id: 'id', ...STATUSES, ...PATH };
  const reports = (request: object) => read(rules, { pathSecret: SECRET, ...request })?.reports;
  assert.deepEqual(reports({ body: 'id=p1&status=2' }), [{ providerId: 'p1', ...failed }]);
  assert.deepEqual(reports({ method: 'GET', query: { id: 'p1', status: '1' } }), []);
  assert.deepEqual(reports({ method: 'GET', body: 'id=p1&status=2' }), []);
  assert.deepEqual(reports({ body: 'id=p1&status=2&status=1' }), []);
});

test('several receipts come in one call', () => {
  const json = { format: 'json', each: '/list', id: '/n/id', ...STATUSES, status: '/s', ...PATH };
  const list = [
    { n: { id: 12 }, s: 1 },
    { n: { id: 'b' }, s: '2' },
    { n: { id: 'c' }, s: 3 },
    { n: { id: 'd' }, s: 'odd' },
    { s: 1 },
    null,
  ];
  const content = read(json, { pathSecret: SECRET, body: JSON.stringify({ list }) });
  const both = [
    { providerId: '12', ...delivered },
    { providerId: 'b', ...failed },
  ];
  assert.deepEqual(content?.reports, both);
  const alone = read(json, { pathSecret: SECRET, body: JSON.stringify({ list: list[0] }) });
  assert.deepEqual(alone?.reports, [{ providerId: '12', ...delivered }]);

  const root = read({ ...json, each: '' }, { pathSecret: SECRET, body: JSON.stringify(list) });
  assert.deepEqual(root?.reports, both);

  const xml = { format: 'xml', each: '/l/r', id: '/@id', ...STATUSES, status: '/text()', ...PATH };
  const body = '<l><r id="12">1</r><x/><r id="b"> 2 </r></l>';
  assert.deepEqual(read(xml, { pathSecret: SECRET, body })?.reports, both);
});

test('our reference is read, and one that is not ours is left out', () => {
  const rules = { format: 'query', reference: 'id', ...STATUSES, ...PATH };
  const reports = (id: string) =>
    read(rules, { query: { id, status: '1' }, pathSecret: SECRET })?.reports;
  assert.deepEqual(reports(shortRefText(REF)), [{ ref: REF, ...delivered }]);
  assert.deepEqual(reports('p1'), []);
});

test('the reason of the provider is shown when the file has none', () => {
  const rules = {
    format: 'query',
    id: 'id',
    status: 'status',
    statuses: { '2': 'failed' },
    reason: 'why',
    ...PATH,
  };
  const query = { id: 'p1', status: '2', why: 'Абонент\r\nнедоступен' };
  const [report] = read(rules, { query, pathSecret: SECRET })?.reports ?? [];
  const reason = 'Абонент недоступен';
  assert.deepEqual(report, { providerId: 'p1', receipt: 'failed', reason });
});

test('without the secret in the path a call is not from the provider', () => {
  const rules = { format: 'query', id: 'id', ...STATUSES, ...PATH };
  const query = { id: 'p1', status: '1' };
  for (const pathSecret of [undefined, '', 'a secret', `${SECRET} `, 'A secret & more']) {
    assert.equal(read(rules, { query, ...(pathSecret && { pathSecret }) }), undefined);
  }
});

const body = '{"id":"p1","status":"1"}';
const overBody = (algorithm: string, others: object) => ({
  format: 'json',
  id: '/id',
  ...STATUSES,
  status: '/status',
  signature: { algorithm, key: '{{secret.GATE}}', over: 'body', ...others },
});

test('a signature covers the raw body', () => {
  for (const hash of ['sha256', 'sha1', 'md5']) {
    for (const encoding of ['hex', 'base64'] as const) {
      const rules = overBody(`hmac-${hash}`, { header: 'X-Sign', encoding, prefix: 'v1=' });
      const sign = `v1=${createHmac(hash, SECRET).update(body).digest(encoding)}`;
      const signed = (headers: object, text = body) =>
        read(rules, { headers: headers as never, body: text });
      assert.deepEqual(signed({ 'x-sign': sign })?.reports, [{ providerId: 'p1', ...delivered }]);
      assert.equal(signed({ 'x-sign': sign }, `${body} `), undefined);
      assert.equal(signed({ 'x-sign': sign.slice(3) }), undefined);
      assert.equal(signed({ 'x-sign': sign.replace('v1', 'v2') }), undefined);
      assert.equal(signed({ 'x-sign': `${sign}0` }), undefined);
      assert.equal(signed({ 'x-sign': [sign] }), undefined);
      assert.equal(signed({}), undefined);
    }
  }
});

test('hex may be written in large letters, base64 may not', () => {
  const sign = (encoding: 'hex' | 'base64') =>
    createHmac('sha256', SECRET).update(body).digest(encoding).toUpperCase();
  const call = (encoding: 'hex' | 'base64') =>
    read(overBody('hmac-sha256', { header: 'x-sign', encoding }), {
      headers: { 'x-sign': sign(encoding) },
      body,
    });
  assert.equal(call('hex')?.reports.length, 1);
  assert.equal(call('base64'), undefined);
});

test('a signature covers the fields that the file names', () => {
  const rules = {
    format: 'form',
    id: 'id',
    ...STATUSES,
    signature: { algorithm: 'md5', over: '{{id}}:{{status}}:{{secret.GATE}}', place: 'sign' },
  };
  const sign = createHash('md5').update(`p1:1:${SECRET}`).digest('hex');
  const call = (text: string) => read(rules, { body: text })?.reports;
  assert.deepEqual(call(`id=p1&status=1&sign=${sign}`), [{ providerId: 'p1', ...delivered }]);
  assert.equal(call(`id=p1&status=2&sign=${sign}`), undefined);
  assert.equal(call(`id=p2&status=1&sign=${sign}`), undefined);
  assert.equal(call(`id=p1&status=1&sign=${sign}&sign=${sign}`), undefined);
  assert.equal(call('id=p1&status=1'), undefined);
});

test('a secret that is not known proves nothing', () => {
  const withoutSecrets = (receipts: object, request: Partial<CallbackRequest>) =>
    readCallback(
      { method: 'POST', headers: {}, query: {}, body: Buffer.from(body), ...request },
      describeReceipts(receipts),
      () => undefined,
    );
  const query = { id: 'p1', status: '1' };
  const path = { format: 'query', id: 'id', ...STATUSES, ...PATH };
  assert.equal(withoutSecrets(path, { query, pathSecret: '' }), undefined);
  const sign = createHmac('sha256', '').update(body).digest('hex');
  const hmac = overBody('hmac-sha256', { header: 'x-sign' });
  assert.equal(withoutSecrets(hmac, { headers: { 'x-sign': sign } }), undefined);
  const hash = {
    format: 'query',
    id: 'id',
    ...STATUSES,
    signature: { algorithm: 'md5', over: '{{id}}{{status}}{{secret.GATE}}', place: 'sign' },
  };
  const md5 = createHash('md5').update('p11').digest('hex');
  assert.equal(withoutSecrets(hash, { query: { ...query, sign: md5 } }), undefined);
});

test('the body that is answered has the type that it looks like', () => {
  const answerTo = (answer: string) =>
    read(
      { format: 'query', id: 'id', ...STATUSES, ...PATH, answer },
      { query: {}, pathSecret: SECRET },
    )?.answer;
  assert.deepEqual(answerTo('OK'), { contentType: 'text/plain', body: 'OK' });
  assert.deepEqual(answerTo('{"ok":1}'), { contentType: 'application/json', body: '{"ok":1}' });
  assert.deepEqual(answerTo('<ok/>'), { contentType: 'text/xml', body: '<ok/>' });
});

test('what cannot be read has no receipts', () => {
  const rules = { format: 'json', id: '/id', ...STATUSES, status: '/status', ...PATH };
  for (const text of ['', '<a/>', '[]', '{"id":"p1"', 'null']) {
    assert.deepEqual(read(rules, { body: text, pathSecret: SECRET }), { reports: [] }, text);
  }
});
