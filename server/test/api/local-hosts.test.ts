import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useService } from '../harness.ts';

// A sandbox hands out keys and codes without a sign-in. A site whose name was made to resolve to
// this machine (DNS rebinding) reads them in the browser of whoever opens it.
const sandbox = useService();

const PATHS = [
  '/',
  '/api/health',
  '/try/session',
  '/try/events',
  '/cabinet/session',
  '/s/abc',
  '/x',
];

for (const host of [
  'evil.com',
  'evil.com:3000',
  'localhost.evil.com',
  '127.0.0.1.nip.io',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  'local',
  'localhost@evil.com',
]) {
  test(`a sandbox does not answer to ${host}`, async () => {
    for (const url of PATHS) {
      const response = await sandbox.http.inject({ url, headers: { host } });
      assert.equal(response.statusCode, 403, url);
      assert.equal(response.json().error_code, 'host_not_allowed', url);
    }
  });
}

for (const host of [
  'localhost',
  'LOCALHOST:3000',
  'zhiber.localhost',
  '127.0.0.1:8080',
  '127.1.2.3',
  '2130706433',
  '[::1]:3000',
]) {
  test(`a sandbox answers to ${host}`, async () => {
    for (const url of ['/', '/api/health']) {
      const response = await sandbox.http.inject({ url, headers: { host } });
      assert.equal(response.statusCode, 200, url);
    }
  });
}
