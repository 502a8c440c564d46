import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { Compile } from 'typebox/schema';
import { exampleCurl, KEYED_PATHS } from './request-snippet.ts';

const keyed = Object.values(ENDPOINTS).filter(({ needsKey }) => needsKey);

test('every endpoint that takes a key is available as a filter', () => {
  const paths = keyed.map(({ path }) => `/api${path}`);
  assert.deepEqual(KEYED_PATHS.toSorted(), paths.toSorted());
});

test('the example of every endpoint has a body that the API accepts', () => {
  for (const endpoint of keyed) {
    const curl = exampleCurl(`/api${endpoint.path}`, 'https://zhiber.kz/api');
    assert.ok(curl.startsWith(`curl https://zhiber.kz/api${endpoint.path} `));
    const body = JSON.parse(curl.slice(curl.indexOf("'") + 1, curl.lastIndexOf("'")));
    assert.ok('body' in endpoint && Compile(endpoint.body).Check(body), endpoint.path);
  }
});
