import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import { newCalls } from './new-calls.ts';

const rows = (text: string) =>
  text.split('').map((id) => ({ request_id: id, at: '2026-11-14T05:42:07Z' }) as RequestRow);

test('new calls are those above the newest one that is shown', () => {
  const count = (latest: string, shown: string) => newCalls(rows(latest), rows(shown)).length;
  assert.equal(count('abc', 'abc'), 0);
  assert.equal(count('xyabc', 'abc'), 2);
  // The newest shown has left the log meanwhile.
  assert.equal(count('xbc', 'abc'), 1);
  assert.equal(count('xy', ''), 2);
  assert.equal(count('', 'abc'), 0);
});
