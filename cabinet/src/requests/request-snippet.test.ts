import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { Compile } from 'typebox/compile';
import { exampleCurl } from './request-snippet.ts';

test('the example of every endpoint has a body that the API accepts', () => {
  for (const endpoint of Object.values(ENDPOINTS).filter(({ needsKey }) => needsKey)) {
    const curl = exampleCurl(`/api${endpoint.path}`, 'https://zhiber.kz');
    assert.ok(curl.startsWith(`curl https://zhiber.kz/api${endpoint.path} `));
    const body = JSON.parse(curl.slice(curl.indexOf("'") + 1, curl.lastIndexOf("'")));
    assert.ok('body' in endpoint && Compile(endpoint.body).Check(body), endpoint.path);
  }
});
