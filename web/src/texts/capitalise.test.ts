import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capitaliseAll, stepTitle } from './capitalise.ts';

test('a word begins a sentence with a capital letter, in Kazakh too', () => {
  assert.deepEqual(capitaliseAll({ sent: 'арна қабылдады', link: 'сілтеме', kk: 'іске' }), {
    sent: 'Арна қабылдады',
    link: 'Сілтеме',
    kk: 'Іске',
  });
});

test('a step names its channel where there is one', () => {
  assert.equal(stepTitle('доставлено')('SMS'), 'SMS: доставлено');
  assert.equal(stepTitle('доставлено')(), 'Доставлено');
});
