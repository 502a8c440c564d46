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

function curlOf(message: Parameters<typeof toCurl>[0]): string {
  return toCurl(message, BASE) ?? '';
}

test('a message of a broadcast has no call', () => {
  assert.equal(toCurl({ ...otp, kind: 'broadcast' }, BASE), undefined);
});

test('a code is sent to the same phone with the same purpose', () => {
  const curl = curlOf(otp);
  assert.match(curl, /^curl https:\/\/zhiber\.kz\/api\/otp\/send /);
  assert.match(curl, /Bearer \$ZHIBER_KEY/);
  assert.match(curl, /"phone": "\+77011234567",\s+"purpose": "login"/);
});

test('a masked phone is replaced by a test number', () => {
  const curl = curlOf({ ...otp, phone: '+7701***4567', purpose: null });
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
  const curl = curlOf(message);
  assert.match(curl, /\/api\/links\/send /);
  assert.match(curl, /"text": "Заказ готов, it'\\''s :link"/);
  assert.match(curl, /"url": "https:\/\/zhb\.kz\/abc"/);
});
