import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { hasLockWaiter, until, useService } from '../harness.ts';

// A statement locks several messages ordered by company and id. Otherwise two batches can deadlock.
const service = useService();

type Message = { company_id: number; id: string };

/** Messages of two companies, where the order by company differs from the order by id. */
async function twoMessages(): Promise<[Message, Message]> {
  const keys = [await service.key(), await service.key()];
  for (const key of keys.toReversed()) {
    const sent = await service.call('/otp/send', { phone: service.phone() }, key);
    assert.equal(sent.status, 200);
  }
  const rows = await service.sql<Message>(
    'select company_id, id from message where company_id = any ($1) order by company_id',
    [keys.map(({ companyId }) => companyId)],
  );
  const [first, second] = rows as [Message, Message];
  assert(first.id > second.id);
  return [first, second];
}

const STATEMENTS: Record<string, string> = {
  'receipts of any attempt': `select from record_receipts($1, $2, array[1, 1],
    array['delivered', 'delivered']::receipt[], array[null, null]::text[], array[null, null]::text[])`,
  'plain receipts': `select from record_plain_receipts($1, $2,
    array['delivered', 'delivered']::receipt[], array[null, null]::text[], array[null, null]::text[])`,
};
for (const [name, statement] of Object.entries(STATEMENTS)) {
  test(`${name} wait for the first message without locking the second`, async () => {
    const [first, second] = await twoMessages();
    const holder = new pg.Client(service.ctx.db.pool.options as pg.ClientConfig);
    await holder.connect();
    await holder.query('begin');
    const lock = 'select from message where company_id = $1 and id = $2 for update nowait';
    await holder.query(lock, [first.company_id, first.id]);
    // In the wrong order: the second message first.
    const recording = service.sql(statement, [
      [second.company_id, first.company_id],
      [second.id, first.id],
    ]);
    await until('the statement waits for the first message', () => hasLockWaiter(service.sql));
    const outcome = await holder.query(lock, [second.company_id, second.id]).then(
      () => 'free',
      (error: Error) => error.message,
    );
    await holder.query('rollback');
    await holder.end();
    await recording;
    assert.equal(outcome, 'free');
    const receipts = await service.sql('select receipt from message where id = any ($1)', [
      [first.id, second.id],
    ]);
    assert.deepEqual(receipts, [{ receipt: 'delivered' }, { receipt: 'delivered' }]);
  });
}
