import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf, requestText } from './delivery-text.ts';

const made = {
  request: {
    headers: { 'webhook-id': 'evt_1', 'content-type': 'application/json' },
    body: `{"name":"Caf'e"}`,
    is_masked: false,
  },
};

test('a request is shown as headers, an empty line and its body', () => {
  assert.equal(
    requestText('https://shop.kz/hook', made),
    `POST https://shop.kz/hook\nwebhook-id: evt_1\ncontent-type: application/json\n\n{"name":"Caf'e"}`,
  );
});

test('a quote in the body or the address does not end the shell argument', () => {
  const lines = curlOf("https://shop.kz/'hook", made).split(' \\\n  ');
  assert.equal(lines[0], `curl 'https://shop.kz/'\\''hook'`);
  assert.equal(lines.at(-1), `--data-raw '{"name":"Caf'\\''e"}'`);
});
