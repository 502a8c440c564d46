import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { judgePassword, type PasswordVerdict } from './judge-password.ts';

const PERSON = { name: 'Айгерим Sarsen', email: 'aika.s@mail.example.kz', phone: '+77011234567' };

const EXAMPLES: Record<string, { passwords: string[]; verdict: PasswordVerdict }> = {
  'spaces and repeated characters': {
    passwords: [' '.repeat(8), ' '.repeat(40), 'aaaaaaaa', 'abababababab', '........', 'яяяяяяяя'],
    verdict: 'weak',
  },
  'common passwords, sequences, rows of keys and dates': {
    passwords: [
      'qwerty123',
      'Password1',
      'P@ssw0rd',
      'abcdefgh',
      'йцукенгш',
      '12.05.1990',
      'almaty2025',
    ],
    verdict: 'weak',
  },
  "one's own phone in any spelling": {
    passwords: [
      '77011234567',
      '+77011234567',
      '8 (701) 123-45-67',
      '87011234567',
      '7011234567',
      '701 123 45 67!',
      '1234567!1',
    ],
    verdict: 'personal',
  },
  "one's own e-mail address and its parts": {
    passwords: ['aika.s@mail.example.kz', 'AIKA.S@MAIL.EXAMPLE.KZ', 'aika.s12', 'aika-example'],
    verdict: 'personal',
  },
  "one's own name": {
    passwords: ['Айгерим Sarsen', 'айгерим1', 'АЙГЕРИМ2026', 'sarsenSarsen', 'Айгерим.1990!'],
    verdict: 'personal',
  },
  'the name of the product, with a year and signs': {
    passwords: [
      'Zhiber2026',
      'zhiber-2026',
      'zhiber2026!',
      'ZHIBERzhiber',
      'Жибер 2025',
      'Zh1ber2026',
    ],
    verdict: 'personal',
  },
  'passwords that nobody guesses soon': {
    passwords: [
      'верный конь 5',
      'kxvbqwmz',
      'correct horse battery',
      'Tr0ub4dour&3',
      'Айгерим и семь слонов',
      'zhiber-kV7#qm2x',
      'рыжий кот на крыше',
      '🐎 конь верный',
    ],
    verdict: 'fine',
  },
};

for (const [name, { passwords, verdict }] of Object.entries(EXAMPLES)) {
  describe(`${verdict}: ${name}`, () => {
    for (const password of passwords) {
      test(JSON.stringify(password), () => assert.equal(judgePassword(password, PERSON), verdict));
    }
  });
}

test('the same letters in another Unicode form are the same password', () => {
  for (const form of ['NFD', 'NFKD'] as const) {
    assert.equal(judgePassword('Айгерим2026'.normalize(form), PERSON), 'personal');
  }
  assert.equal(judgePassword('Ｐａｓｓｗｏｒｄ１', PERSON), 'weak');
});

test('only the beginning of a long password is judged', () => {
  assert.equal(judgePassword(`${'a'.repeat(64)}kV7#qm2x и слоны`, PERSON), 'weak');
  assert.equal(judgePassword('кот'.repeat(40_000), PERSON), 'weak');
});

test('without anything known about the person, the rest of the rules hold', () => {
  const nobody = { name: null, email: null, phone: null };
  assert.equal(judgePassword('Zhiber2026', nobody), 'personal');
  assert.equal(judgePassword('верный конь 5', nobody), 'fine');
});

test('the server itself never loads the word lists: neither its start nor its event loop waits', () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ resolve: (name, context, next) => (loaded.push(name), next(name, context)) });
    const { createPasswords } = await import(${JSON.stringify(path.join(import.meta.dirname, 'passwords.ts'))});
    await import(${JSON.stringify(path.join(import.meta.dirname, '../app.ts'))});
    const given = { password: 'qwerty123', person: {}, address: '127.0.0.1' };
    const refusal = await createPasswords().refuseGuessable(given).catch(({ code }) => code);
    console.log(JSON.stringify({ refusal, words: loaded.filter((name) => name.includes('zxcvbn')) }));`;
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', program]);
  assert.deepEqual(JSON.parse(String(out)), { refusal: 'weak_password', words: [] });
});
