import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskPhone, type Phone, parsePhone } from './phone.ts';

const kazakhMobile = fc
  .tuple(fc.constantFrom('70', '77', '747'), fc.integer({ min: 10_000_000, max: 99_999_999 }))
  .map(([range, rest]) => `${range}${rest}`.slice(0, 10));
const prefixes = fc.constantFrom('+7', '7', '8', '', '007');
const separator = fc.constantFrom('', ' ', '-', '.', '(', ')', '\u00a0', ' (', ') ', '–');

test('a phone reads the same in any spelling', () => {
  fc.assert(
    fc.property(
      kazakhMobile,
      prefixes,
      fc.array(separator, { minLength: 10, maxLength: 10 }),
      (national, prefix, separators) => {
        const spelled = prefix + [...national].map((digit, i) => separators[i] + digit).join('');
        const facts = parsePhone(spelled);
        assert.equal(facts?.phone, `7${national}`, spelled);
        assert.equal(facts?.country, 'KZ');
        assert.equal(facts?.isCostly, false);
        assert.equal(facts?.canReceiveSms, true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a parsed phone parses to itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?[0-9 ()-]{5,20}$/), (text) => {
      const facts = parsePhone(text);
      if (facts !== undefined) assert.equal(parsePhone(`+${facts.phone}`)?.phone, facts.phone);
    }),
    { numRuns: 2_000 },
  );
});

test('any text is a phone or none, and never throws', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      const facts = parsePhone(text);
      if (facts !== undefined) assert.match(facts.phone, /^[1-9]\d{6,14}$/);
    }),
  );
});

const none = [
  '',
  '+',
  '701',
  '+7 701 123 45 6',
  '+7 701 123 45 678',
  'abc 77011234567 def',
  '77011234567;ext=5',
  'tel:+77011234567',
  '+77011234567,1',
  '++77011234567',
  '+7+7011234567',
  '77011234567 доб. 2',
  '７７０１１２３４５６７',
  '٧٧٠١١٢٣٤٥٦٧',
  '7701\u200b1234567',
  '0077',
  '+0077011234567',
  '00007701123456',
  '\n77011234567',
  '+999999999999',
  // A national number of Russia, or a number of India, Vietnam, Germany or Bangladesh.
  '9161234567',
  '84951234567',
  '4951234567',
  '88001234567',
  // Possible with a plus, but no country has such a number.
  '123456789',
];
for (const text of none) {
  test(`${JSON.stringify(text)} is no phone`, () => assert.equal(parsePhone(text), undefined));
}

const elsewhere: [string, string, string][] = [
  ['+7 916 123-45-67', '79161234567', 'RU'],
  ['8 916 123-45-67', '79161234567', 'RU'],
  ['+996 555 123456', '996555123456', 'KG'],
  ['00998901234567', '998901234567', 'UZ'],
  ['+1 202 555 0123', '12025550123', 'US'],
  ['+7 600 123 45 67', '76001234567', 'KZ'],
  ['+91 61234567', '9161234567', 'IN'],
  ['+84 95 1234567', '84951234567', 'VN'],
  ['996555123456', '996555123456', 'KG'],
  ['12025550123', '12025550123', 'US'],
  ['8 727 250 12 34', '77272501234', 'KZ'],
];
for (const [text, phone, country] of elsewhere) {
  test(`${text} is ${phone} in ${country}`, () => {
    const facts = parsePhone(text);
    assert.equal(facts?.phone, phone);
    assert.equal(facts?.country, country);
    assert.equal(facts?.isCostly, false);
  });
}

for (const text of ['+1 900 555 0123', '+8816 1234 5678', '+870 773 123 456', '+979 123 456 789']) {
  test(`${text} is costly`, () => assert.equal(parsePhone(text)?.isCostly, true));
}

const sms: [string, boolean][] = [
  ['+77011234567', true],
  ['+77471234567', true],
  ['+77091234567', true],
  ['+77791234567', true],
  ['+79161234567', true],
  ['+12025550123', true],
  ['+77272501234', false],
  ['+77172701234', false],
  ['+76001234567', false],
  ['+77991234567', false],
  ['+74951234567', false],
];
for (const [text, expected] of sms) {
  test(`${text} ${expected ? 'can' : 'cannot'} receive SMS`, () => {
    assert.equal(parsePhone(text)?.canReceiveSms, expected);
  });
}

test('a masked phone shows exactly four digits at its end', () => {
  assert.equal(maskPhone('77011234567' as Phone), '+7701***4567');
});
