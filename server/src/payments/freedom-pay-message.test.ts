import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isSigned,
  readForm,
  readXml,
  signatureOf,
  textOf,
  toFields,
  withSignature,
  writeXml,
} from './freedom-pay-message.ts';

// Computed by hand with md5sum: `script;values in the order of names;secret`.
test('the signature covers the script, the values in the order of their names, and the secret', () => {
  const values = {
    pg_order_id: '23',
    pg_amount: '25',
    pg_salt: 'some_random_string',
    pg_merchant_id: '10001',
    pg_description: 'Order description',
  };
  const expected = '8d898138d9645cb5adc83fad50a78198';
  assert.equal(signatureOf('init_payment.php', toFields(values), 'test_secret'), expected);
  const signed = toFields({ ...values, pg_sig: expected });
  assert.equal(signatureOf('init_payment.php', signed, 'test_secret'), expected);
});

test('parts of a field are signed in its place, each in the order of names', () => {
  const xml = `<response>
    <pg_status>ok</pg_status>
    <pg_refund_payments>
      <pg_refund_payment><pg_payment_id>9</pg_payment_id><pg_amount>-10</pg_amount></pg_refund_payment>
      <pg_refund_payment><pg_payment_id>8</pg_payment_id><pg_amount>-5</pg_amount></pg_refund_payment>
    </pg_refund_payments>
    <pg_salt>s</pg_salt>
  </response>`;
  // get_status3.php;-10;9;-5;8;s;ok;k
  assert.equal(
    signatureOf('get_status3.php', readXml(xml) ?? [], 'k'),
    '31c69e09778d25d23cb5bc932d1c86bf',
  );
  const form = readForm([...new URLSearchParams('b=3&a[y]=2&a[x]=1&a2=0')]) ?? [];
  // result;1;2;0;3;k
  assert.equal(signatureOf('result', form, 'k'), 'e95003f244afe6bcd5806224d17db67f');
});

test('a signature counts only for its script, its values and its secret, and only when it is alone', () => {
  const signed = withSignature('result', { pg_amount: '5000' }, { secret: 'k', salt: 's' });
  const fields = toFields(signed);
  assert.ok(isSigned('result', fields, 'k'));
  assert.ok(!isSigned('refund', fields, 'k'));
  assert.ok(!isSigned('result', fields, 'other'));
  assert.ok(!isSigned('result', toFields({ ...signed, pg_amount: '50000' }), 'k'));
  assert.ok(!isSigned('result', toFields({ ...signed, extra: '1' }), 'k'));
  assert.ok(!isSigned('result', [...fields, { name: 'pg_sig', value: 'x' }], 'k'));
  assert.ok(!isSigned('result', toFields({ pg_amount: '5000' }), 'k'));
  assert.ok(!isSigned('result', [{ name: 'pg_sig', value: [] }], 'k'));
});

test('values of XML stay the texts that were signed', () => {
  const fields = readXml(
    '<?xml version="1.0"?><response><a> 007.50 </a><b>&lt;&amp;&#1090;</b><c/><d><![CDATA[<x>]]></d></response>',
  );
  assert.deepEqual(fields, [
    { name: 'a', value: ' 007.50 ' },
    { name: 'b', value: '<&т' },
    { name: 'c', value: '' },
    { name: 'd', value: '<x>' },
  ]);
  assert.equal(textOf(fields ?? [], 'c'), undefined);
  assert.deepEqual(readXml(writeXml('response', { a: 'ТОО «A&B» <x>' })), [
    { name: 'a', value: 'ТОО «A&B» <x>' },
  ]);
});

for (const text of [
  '',
  'upstream trouble',
  '{"ok":true}',
  '<response><a>1</a>',
  '<response>text</response>',
  '<!DOCTYPE r [<!ENTITY a "aaaa">]><response><a>&a;</a></response>',
  '<a><b>1</b></a><c><d>2</d></c>',
]) {
  test(`"${text.slice(0, 30)}" is no message`, () => assert.equal(readXml(text), undefined));
}

test('a message with more fields than any provider sends is not read', () => {
  const pairs = Array.from({ length: 500 }, (_, i) => [`a${i}[b]`, ''] as const);
  assert.equal(readForm(pairs)?.length, 500);
  assert.equal(readForm([...pairs, ['one', 'more']]), undefined);
  const xmlOf = (fields: number) => `<r>${'<a></a>'.repeat(fields)}</r>`;
  assert.equal(readXml(xmlOf(498))?.length, 498);
  assert.equal(readXml(xmlOf(500)), undefined);
});
