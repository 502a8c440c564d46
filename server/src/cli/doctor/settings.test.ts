import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listSettings } from './settings.ts';

const find = (env: Record<string, string>, name: string) =>
  listSettings(env).find((setting) => setting.name === name);

test('only the length of a secret is shown', () => {
  const secret = 's3cr3t'.repeat(6);
  const env = { SECRET: secret, DATABASE_URL: 'postgres://me:hush@db/zhiber' };
  assert.equal(find(env, 'SECRET')?.value, '•••• (36 chars)');
  assert.doesNotMatch(JSON.stringify(listSettings(env)), /s3cr3t|hush/);
});

test('each value comes with its source', () => {
  assert.deepEqual(find({ PORT: '8080' }, 'PORT'), {
    name: 'PORT',
    value: '8080',
    source: 'environment',
  });
  assert.equal(find({}, 'PORT')?.source, 'default');
  assert.deepEqual(find({}, 'SECRET'), { name: 'SECRET', value: null, source: 'not set' });
});
