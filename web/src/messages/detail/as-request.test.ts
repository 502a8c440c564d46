import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCurl } from './as-request.ts';

const BASE = 'https://zhiber.kz/api';
const otp = {
  kind: 'otp' as const,
  phone: '+77011234567',
  purpose: 'login',
  has_link: false,
  body: null,
  short_url: null,
  route: [],
};

test('a code is sent to the same phone with the same purpose', () => {
  const curl = toCurl(otp, BASE);
  assert.match(curl, /^curl https:\/\/zhiber\.kz\/api\/otp\/send /);
  assert.match(curl, /Bearer \$ZHIBER_KEY/);
  assert.match(curl, /"phone": "\+77011234567",\s+"purpose": "login"/);
});

test('a masked phone is replaced by a test number', () => {
  const curl = toCurl({ ...otp, phone: '+7701***4567', purpose: null }, BASE);
  assert.match(curl, /"phone": "\+77000000000"/);
  assert.doesNotMatch(curl, /\*|purpose/);
});

test('the short link in a text is replaced by the :link placeholder', () => {
  const message = {
    ...otp,
    kind: 'link' as const,
    has_link: true,
    body: "Заказ готов, it's https://zhb.kz/abc",
    short_url: 'https://zhb.kz/abc',
  };
  const curl = toCurl(message, BASE);
  assert.match(curl, /\/api\/links\/send /);
  assert.match(curl, /"text": "Заказ готов, it'\\''s :link"/);
  assert.match(curl, /"url": "https:\/\/zhb\.kz\/abc"/);
});
