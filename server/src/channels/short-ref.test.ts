import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CompanyId, type MessageId, newId } from '../ids.ts';
import type { AttemptRef } from './channel.ts';
import { readShortRefText, shortRefText } from './short-ref.ts';

test('an id holds every reference in 40 characters, and no other id is read', () => {
  const refs: AttemptRef[] = [
    { companyId: 1, attempt: 1, messageId: '00000000-0000-7000-8000-000000000000' },
    {
      companyId: 999_999_999_999_999,
      attempt: 9_999,
      messageId: `ffffffff${'-ffff'.repeat(4)}ffffffff`,
    },
    { companyId: 17, attempt: 2, messageId: newId(Date.now()) },
  ].map((ref) => ({
    ...ref,
    companyId: ref.companyId as CompanyId,
    messageId: ref.messageId as MessageId,
  }));
  for (const ref of refs) {
    assert.match(shortRefText(ref), /^[0-9a-z.]{29,40}$/);
    assert.deepEqual(readShortRefText(shortRefText(ref)), ref);
  }
  const tooLarge = `1.1.${'z'.repeat(25)}`;
  for (const other of ['', '1001', '1.1.abc', tooLarge, `01.1.${'0'.repeat(25)}`, 'a.b.c.d']) {
    assert.equal(readShortRefText(other), undefined, other);
  }
});
