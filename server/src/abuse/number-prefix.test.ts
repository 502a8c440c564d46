import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operatorNameByPrefix } from '../numbering-plan.ts';
import type { Phone } from '../phone.ts';
import { prefixOf } from './number-prefix.ts';

const prefixes: [string, string, string][] = [
  ['77011234567', '7701', 'Kazakhstan: an operator'],
  ['77471234567', '7747', 'Kazakhstan: another operator'],
  ['77172123456', '7717', 'Kazakhstan: a city'],
  ['76001234567', '7600', 'Kazakhstan: not allocated yet'],
  ['79161234567', '791', 'Russia'],
  ['78001234567', '780', 'Russia: free of charge'],
  ['12025550123', '120', 'a code of one digit'],
  ['201001234567', '2010', 'Egypt: two digits'],
  ['491701234567', '4917', 'Germany: two digits'],
  ['8613912345678', '8613', 'China: two digits'],
  ['905321234567', '9053', 'Turkey: two digits'],
  ['989121234567', '9891', 'Iran: two digits'],
  ['998901234567', '99890', 'Uzbekistan: three digits'],
  ['996555123456', '99655', 'Kyrgyzstan: three digits'],
  ['380501234567', '38050', 'Ukraine: three digits'],
  ['420601234567', '42060', 'Czechia: three digits'],
  ['2348021234567', '23480', 'Nigeria: three digits'],
  ['85261234567', '85261', 'Hong Kong: three digits'],
  ['2907123', '29071', 'the shortest phone'],
];
for (const [phone, prefix, what] of prefixes) {
  test(`${phone} begins with ${prefix} (${what})`, () => {
    assert.equal(prefixOf(phone as Phone), prefix);
  });
}

const operators: [string, string | undefined][] = [
  ['7702', 'Kcell / Activ'],
  ['7771', 'Beeline'],
  ['7747', 'Tele2 / Altel'],
  // Whose numbers these are is not certain.
  ['7706', undefined],
  ['7760', undefined],
  ['7727', undefined],
  ['791', undefined],
];
for (const [prefix, name] of operators) {
  test(`${prefix} ${name === undefined ? 'is shown as digits' : `is ${name}`}`, () => {
    assert.equal(operatorNameByPrefix(prefix), name);
  });
}
