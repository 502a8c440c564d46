import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BadConfig, describeSettings, readConfig } from './config.ts';

const file = (changes: object = {}) =>
  JSON.stringify({
    name: 'gate',
    channel: 'sms',
    send: {
      url: 'https://a.kz/?to={{phone}}&text={{text}}&key={{secret.GATE}}',
      answer: { format: 'json', id: '/id' },
    },
    ...changes,
  });

const FILES: Record<string, string> = {
  '/etc/gate.json': file(),
  '/etc/other.json': file({ name: 'other', channel: 'telegram' }),
  '/etc/wrong.json': file({ channel: 'fax', rate: 0 }),
};

const read = (env: Record<string, string>) =>
  readConfig(env, (name) => {
    const text = FILES[name];
    if (text === undefined) throw new Error('ENOENT');
    return text;
  });

function problemsOf(env: Record<string, string>): string[] {
  try {
    read(env);
  } catch (error) {
    assert.ok(error instanceof BadConfig);
    return error.problems;
  }
  return [];
}

const SECRET = { PROVIDER_SECRET_GATE: 'hush' };

test('a described provider is configured with its secrets, and makes the service live', () => {
  const { mode, providers } = read({ ...SECRET, PROVIDER_FILES: '/etc/gate.json' });
  assert.equal(mode, 'live');
  assert.deepEqual(
    providers.map(({ kind, name, channel, values }) => ({ kind, name, channel, values })),
    [{ kind: 'file', name: 'gate', channel: 'sms', values: { GATE: 'hush' } }],
  );
});

test('described providers follow those that are built in, unless the order says otherwise', () => {
  const env = { ...SECRET, SMSC_API_KEY: 'k', PROVIDER_FILES: '/etc/gate.json, /etc/other.json' };
  const namesOf = (changes: Record<string, string>) =>
    read({ ...env, ...changes }).providers.map(({ name }) => name);
  assert.deepEqual(namesOf({}), ['other', 'smsc', 'gate']);
  assert.deepEqual(namesOf({ SMS_PROVIDERS: 'gate,smsc' }), ['other', 'gate', 'smsc']);
  assert.deepEqual(namesOf({ SMS_PROVIDERS: 'gate' }), ['other', 'gate']);
});

test('what is wrong is said with the file, all at once, and never the secret', () => {
  assert.deepEqual(problemsOf({ PROVIDER_FILES: '/etc/gate.json' }), [
    'PROVIDER_SECRET_GATE: should be set, because /etc/gate.json needs it',
  ]);
  assert.deepEqual(
    problemsOf({ PROVIDER_FILES: '/etc/gate.json', PROVIDER_SECRET_GATE: 'пароль' }),
    ['PROVIDER_SECRET_GATE: should have 1 to 1000 ASCII characters on one line'],
  );
  assert.deepEqual(problemsOf({ ...SECRET, PROVIDER_FILES: '/etc/none.json,/etc/wrong.json' }), [
    'PROVIDER_FILES: /etc/none.json: cannot be read: ENOENT',
    'PROVIDER_FILES: /etc/wrong.json: channel: should be whatsapp, telegram or sms, not "fax"',
    'PROVIDER_FILES: /etc/wrong.json: rate: should be a whole number from 1 to 10000',
  ]);
});

test('a name is given once', () => {
  assert.deepEqual(problemsOf({ ...SECRET, PROVIDER_FILES: '/etc/gate.json,/etc/gate.json' }), [
    'PROVIDER_FILES: /etc/gate.json: name: should not be "gate", which /etc/gate.json has',
  ]);
});

test('the doctor shows that a secret is set, and only its length', () => {
  const shown = describeSettings(SECRET).find(({ name }) => name === 'PROVIDER_SECRET_GATE');
  const value = '•••• (4 chars)';
  assert.deepEqual(shown, { name: 'PROVIDER_SECRET_GATE', value, source: 'environment' });
});
