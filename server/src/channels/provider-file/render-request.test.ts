import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import type { ProviderDescription } from '../../config/provider-file/description.ts';
import { readProviderFile } from '../../config/provider-file/read-provider-file.ts';
import { canBeXml } from '../../runtime/xml.ts';
import { renderRequest } from './render-request.ts';

const VALUES: Record<string, string> = {
  phone: '77010000001',
  phone_plus: '+77010000001',
  text: 'Код 482913',
  id: '1.1.abc',
  ttl_seconds: '300',
  'secret.KEY': 'k&y/1',
};

function describeSend(send: object): ProviderDescription['send']['request'] {
  const { description, mistakes } = readProviderFile(
    JSON.stringify({
      name: 'gate',
      channel: 'sms',
      send: { answer: { format: 'json', id: '/id' }, ...send },
    }),
  );
  assert.ok(description, String(mistakes));
  return description.send.request;
}

const render = (send: object, values: Record<string, string | undefined> = {}) =>
  renderRequest(describeSend(send), (name) => ({ ...VALUES, ...values })[name]);

/** Any text, and often one that means something in a URL, a form, JSON or XML. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'&=?#+%/\\"\'<>{}[];:,\r\n\t \u0000ҚЯ'), maxLength: 40 }),
);
const runs = { numRuns: 1_000 };

test('whatever the text, the query parses back to exactly that text', () => {
  const send = {
    url: 'https://a.kz/send?first={{secret.KEY}}&second={{text}}',
    query: { to: '{{phone}}', text: 'Magnum: {{text}}' },
  };
  const request = describeSend(send);
  fc.assert(
    fc.property(anyText, (text) => {
      const { path = '' } = renderRequest(request, (name) => ({ ...VALUES, text })[name]) ?? {};
      if (/^\.+$/.test(text)) return assert.equal(path, '');
      const url = new URL(`https://a.kz${path}`);
      assert.equal(url.pathname, '/send');
      assert.deepEqual(
        [...url.searchParams],
        [
          ['first', 'k&y/1'],
          ['second', text],
          ['to', '77010000001'],
          ['text', `Magnum: ${text}`],
        ],
      );
    }),
    runs,
  );
});

test('whatever the text, the form parses back to exactly that text', () => {
  const request = describeSend({
    url: 'https://a.kz/',
    form: { 'to[]': '{{phone}}', text: '{{text}}' },
  });
  fc.assert(
    fc.property(anyText, (text) => {
      const rendered = renderRequest(request, (name) => ({ ...VALUES, text })[name]);
      assert.equal(rendered?.method, 'POST');
      assert.equal(rendered.headers['content-type'], 'application/x-www-form-urlencoded');
      assert.deepEqual(
        [...new URLSearchParams(rendered.body)],
        [
          ['to[]', '77010000001'],
          ['text', text],
        ],
      );
    }),
    runs,
  );
});

test('whatever the text, the JSON parses back to exactly that text', () => {
  const json = {
    to: ['{{phone:number}}'],
    message: { text: '{{text}}', ttl: '{{ttl_seconds:number}}', flash: false, note: null },
  };
  const request = describeSend({ url: 'https://a.kz/', json });
  fc.assert(
    fc.property(anyText, (text) => {
      const rendered = renderRequest(request, (name) => ({ ...VALUES, text })[name]);
      assert.equal(rendered?.headers['content-type'], 'application/json');
      assert.deepEqual(JSON.parse(rendered.body ?? ''), {
        to: [77_010_000_001],
        message: { text, ttl: 300, flash: false, note: null },
      });
    }),
    runs,
  );
});

test('whatever the text, the XML parses back to exactly that text', () => {
  const request = describeSend({
    url: 'https://a.kz/',
    xml: [
      '<?xml version="1.0"?>',
      `<r to="{{phone}}" d="{{text}}" s='{{text}}'><t>{{text}}</t><id>{{id}}</id></r>`,
    ],
  });
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    trimValues: false,
    htmlEntities: true,
  });
  let written = 0;
  fc.assert(
    fc.property(anyText, (text) => {
      const rendered = renderRequest(request, (name) => ({ ...VALUES, text })[name]);
      assert.equal(rendered !== undefined, canBeXml(text), JSON.stringify(text));
      if (rendered === undefined) return;
      written += 1;
      const { r } = parser.parse(rendered.body ?? '', true);
      const got = [r['@_to'], r['@_d'], r['@_s'], r.t, r.id];
      assert.deepEqual(got, ['77010000001', text, text, text, '1.1.abc']);
    }),
    runs,
  );
  assert.ok(written > 300, String(written));
});

test('whatever the text, a header and a body of text hold it encoded', () => {
  const request = describeSend({
    url: 'https://a.kz/',
    headers: { 'x-text': 'a;{{text:base64}}' },
    text: 'to={{phone}}&text={{text:url}}',
  });
  fc.assert(
    fc.property(anyText, (text) => {
      const rendered = renderRequest(request, (name) => ({ ...VALUES, text })[name]);
      assert.ok(rendered);
      const encoded = rendered.headers['x-text']?.slice(2) ?? '';
      assert.equal(Buffer.from(encoded, 'base64').toString(), text);
      assert.equal(new URLSearchParams(rendered.body).get('text'), text);
    }),
    runs,
  );
});

test('a login is sent as Basic or Bearer', () => {
  const url = 'https://a.kz/?to={{phone}}&text={{text}}';
  const basic = render({ url, basic: { user: 'zhiber', password: '{{secret.KEY}}' } });
  assert.equal(basic?.headers.authorization, `Basic ${btoa('zhiber:k&y/1')}`);
  const bearer = render({ url, bearer: '{{secret.KEY}}' });
  assert.equal(bearer?.headers.authorization, 'Bearer k&y/1');
});

test('what a message does not have is left out', () => {
  const fields = { sender: '{{sender}}', 'x-from': 'from {{sender}}', to: '{{phone}}' };
  const rendered = render({
    url: 'https://a.kz/',
    query: fields,
    headers: { 'x-from': 'from {{sender:url}}', 'x-to': '{{phone}}' },
    json: { ...fields, list: ['{{sender}}', '{{text}}'] },
  });
  assert.equal(rendered?.path, '/?to=77010000001');
  assert.deepEqual(rendered.headers, {
    accept: '*/*',
    'content-type': 'application/json',
    'x-to': '77010000001',
  });
  const body = { to: '77010000001', list: ['Код 482913'] };
  assert.deepEqual(JSON.parse(rendered.body ?? ''), body);
});

test('a request is not written when a value cannot stand in its place', () => {
  const inHeader = { url: 'https://a.kz/?text={{text}}', headers: { to: '{{phone}}' } };
  for (const phone of ['7\r\nx: y', '7\n', '7\0', 'қ', '\ud800']) {
    assert.equal(render(inHeader, { phone }), undefined, JSON.stringify(phone));
  }
  const inPath = { url: 'https://a.kz/to/{{phone}}/send?text={{text}}' };
  assert.equal(render(inPath, { phone: '..' }), undefined);
  assert.equal(render(inPath, { phone: '7/../x' })?.path.startsWith('/to/7%2F..%2Fx/send?'), true);
  assert.equal(render(inPath, { phone: undefined }), undefined);
  assert.equal(render(inPath, { text: '\udc00' }), undefined);
});

test('a header of the file replaces the usual one', () => {
  const rendered = render({
    url: 'https://a.kz/',
    headers: { 'Content-Type': 'application/xml', Accept: 'application/xml' },
    xml: '<r to="{{phone}}">{{text}}</r>',
  });
  assert.deepEqual(rendered?.headers, {
    accept: 'application/xml',
    'content-type': 'application/xml',
  });
});
