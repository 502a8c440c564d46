import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConsent, judgePhone } from './judge-phone.ts';

const RULES = { smsCountries: ['KZ'], includesOtherCountries: false };

const verdictOf = (cell: string, includesOtherCountries = false) => {
  const judged = judgePhone(cell, { ...RULES, includesOtherCountries });
  return judged.verdict === 'invalid' ? judged.fault : `${judged.verdict} ${judged.phone}`;
};

const CELLS: Record<string, string> = {
  '87011234567': 'send 77011234567',
  ' +7 (701) 123-45-67 ': 'send 77011234567',
  "'+77011234567": 'send 77011234567',
  '7.7011234567E10': 'send 77011234567',
  '7,7011234567E+10': 'send 77011234567',
  '7.701123456e10': 'send 77011234560',
  '77011234567.0': 'send 77011234567',
  '77011234567,00': 'send 77011234567',
  // As Excel shows a long number: the last digits are lost.
  '7,70112E+10': 'ambiguous',
  '7.7011234567E5': 'ambiguous',
  '': 'empty',
  '  ': 'empty',
  "'": 'empty',
  '87O11234567': 'letters',
  'нет номера': 'letters',
  '87011234567 доб. 12': 'letters',
  '8701123456': 'too_short',
  '870112345678': 'too_long',
  '12345': 'too_short',
  '+7701123456': 'too_short',
  '+770112345678': 'too_long',
  '1234567890123456': 'too_long',
  '87011234567, 87021234567': 'two_numbers',
  '87011234567 87021234567': 'two_numbers',
  '87011234567/87021234567': 'two_numbers',
  '87011234567 и 87021234567': 'two_numbers',
  '87011234567\n87021234567': 'two_numbers',
  '9161234567': 'ambiguous',
  '???': 'not_a_number',
  '-': 'not_a_number',
  '8#7011234567': 'not_a_number',
  '8 (727) 250-00-01': 'cannot_receive 77272500001',
  // A satellite.
  '+881612345678': 'cannot_receive 881612345678',
  '+44 20 7946 0958': 'cannot_receive 442079460958',
  '89161234567': 'other_country 79161234567',
  '+998901234567': 'other_country 998901234567',
};

for (const [cell, expected] of Object.entries(CELLS)) {
  test(`${JSON.stringify(cell)} is judged as ${expected}`, () => {
    assert.equal(verdictOf(cell), expected);
  });
}

test('phones of other countries are sent to where the draft includes them', () => {
  assert.equal(verdictOf('89161234567', true), 'send 79161234567');
  assert.equal(verdictOf('+44 20 7946 0958', true), 'cannot_receive 442079460958');
});

test('no, and nothing at all, is no consent; anything else is one', () => {
  const no = ['', ' ', 'нет', 'НЕТ', 'no', 'жоқ', '0', 'false', '-', '—', 'Не согласен'];
  const yes = ['да', 'иә', 'yes', '1', '+', 'true', '12.03.2026', 'не указано', 'по договору'];
  assert.deepEqual(no.filter(isConsent), []);
  assert.deepEqual(yes.filter(isConsent), yes);
});
