import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompanyId, newId } from '../ids.ts';
import { createDuplicateIdCheck } from './duplicate-id-check.ts';

const refOf = (n: number) => ({ companyId: 1 as CompanyId, messageId: newId(n), attempt: 1 });

test('an id belongs to the message that got it first, and is forgotten after many more', () => {
  const given = createDuplicateIdCheck(3);
  const first = refOf(1);
  assert(given.take('a', first));
  assert(given.take('a', first), 'its own');
  for (const [n, id] of ['b', 'c', 'd', 'e', 'f'].entries()) assert(given.take(id, refOf(n + 2)));
  assert(!given.take('a', refOf(9)), 'still known after five more');
  assert(given.take('g', refOf(8)));
  assert(given.take('a', refOf(9)), 'forgotten after six more');
});
