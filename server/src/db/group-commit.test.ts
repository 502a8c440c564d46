import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGroup, type GroupStatement, StatementNotSent } from './group-commit.ts';
import type { Sql } from './sql.ts';
import { isDatabaseAway, isOutcomeUnknown } from './sql-errors.ts';

type Answer = (items: readonly number[], call: number) => Promise<number[]>;

const failure = (code: string) => Object.assign(new Error(code), { code });
const double: Answer = async (items) => items.map((item) => item * 2);

/** A group over a fake database with these answers; `batches` is what it was asked. */
function groupOver(
  answer: Answer,
  limits: Partial<Pick<GroupStatement<number, number>, 'itemsMax' | 'waitingMax' | 'locks'>> = {},
) {
  const batches: number[][] = [];
  const sql: Sql = {
    query: <Row>(_text: string, values: readonly unknown[] = []) => {
      batches.push([...(values as number[])]);
      return answer(values as number[], batches.length) as Promise<Row[]>;
    },
  };
  const statement: GroupStatement<number, number> = {
    name: 'double',
    itemsMax: limits.itemsMax ?? 512,
    waitingMax: limits.waitingMax ?? 1_000,
    ...(limits.locks === undefined ? {} : { locks: limits.locks }),
    run: (db, items) => db.query<number>('double', items),
  };
  return { group: createGroup(statement, sql), batches };
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('what arrives together is one statement, and each gets its own result', async () => {
  const { group, batches } = groupOver(double);
  const results = await Promise.all(numbers(300).map((item) => group.add(item)));
  assert.deepEqual(
    results,
    numbers(300).map((item) => item * 2),
  );
  assert.deepEqual(batches, [numbers(300)]);
});

test('what arrives while one is under way goes into the next, in the order it came', async () => {
  let answerFirst: (() => void) | undefined;
  const { group, batches } = groupOver(async (items, call) => {
    if (call === 1) await new Promise<void>((resolve) => (answerFirst = resolve));
    return await double(items, call);
  });
  const first = group.add(1);
  await new Promise((resolve) => setImmediate(resolve));
  const others = [2, 3, 4].map((item) => group.add(item));
  answerFirst?.();
  assert.equal(await first, 2);
  assert.deepEqual(await Promise.all(others), [4, 6, 8]);
  assert.deepEqual(batches, [[1], [2, 3, 4]]);
});

test('a statement takes no more than its limit, and the rest follows', async () => {
  const { group, batches } = groupOver(double, { itemsMax: 4 });
  const results = await Promise.all(numbers(10).map((item) => group.add(item)));
  assert.deepEqual(
    results,
    numbers(10).map((item) => item * 2),
  );
  assert.deepEqual(
    batches.map((batch) => batch.length),
    [4, 4, 2],
  );
});

for (const code of ['22003', '23505']) {
  test(`one bad item fails alone (${code}), and its neighbours are served`, async () => {
    const { group } = groupOver(async (items, call) => {
      if (items.includes(5)) throw failure(code);
      return await double(items, call);
    });
    const outcomes = await Promise.allSettled(numbers(10).map((item) => group.add(item)));
    for (const [item, outcome] of outcomes.entries()) {
      if (item === 5) {
        assert.equal(outcome.status, 'rejected');
        assert.equal((outcome as PromiseRejectedResult).reason.code, code);
      } else assert.deepEqual(outcome, { status: 'fulfilled', value: item * 2 });
    }
  });
}

test('a full queue refuses at once, and those in it are served', async () => {
  const { group } = groupOver(double, { waitingMax: 3 });
  const waiting = [1, 2, 3].map((item) => group.add(item));
  await assert.rejects(group.add(4), StatementNotSent);
  assert.deepEqual(await Promise.all(waiting), [2, 4, 6]);
  assert.equal(await group.add(5), 10, 'there is room again');
});

test('a database that is away fails the queued items too, and is asked again later', async () => {
  let failFirst: (() => void) | undefined;
  const { group, batches } = groupOver(async (items, call) => {
    if (call === 1) {
      await new Promise<void>((resolve) => (failFirst = resolve));
      throw failure('57P01');
    }
    return await double(items, call);
  });
  const first = group.add(1);
  await new Promise((resolve) => setImmediate(resolve));
  const waiting = [2, 3].map((item) => group.add(item));
  const outcomes = Promise.allSettled([first, ...waiting]);
  failFirst?.();
  const reasons = (await outcomes).map((outcome) => (outcome as PromiseRejectedResult).reason);
  // The statement that was sent may have been committed; the queued items were never sent.
  assert.deepEqual(reasons.map(isOutcomeUnknown), [true, false, false]);
  assert.ok(reasons.every(isDatabaseAway));
  assert.deepEqual(batches, [[1]], 'nobody else asked in vain');
  assert.equal(await group.add(4), 8);
});

for (const code of ['55P03', '57014']) {
  test(`a locked row (${code}) fails only its own items, until it is released`, async () => {
    // Even and odd items lock one row each; another transaction locks that of the odd ones.
    let isLocked = true;
    const { group, batches } = groupOver(
      async (items, call) => {
        if (isLocked && items.some((item) => item % 2 === 1)) throw failure(code);
        return await double(items, call);
      },
      {
        itemsMax: 4,
        locks: {
          rowOf: (item) => item % 2,
          findLocked: async (_sql, rows) => rows.filter((row) => isLocked && row === 1),
        },
      },
    );
    const outcomes = await Promise.allSettled(numbers(8).map((item) => group.add(item)));
    for (const [item, outcome] of outcomes.entries()) {
      if (item % 2 === 0) assert.deepEqual(outcome, { status: 'fulfilled', value: item * 2 });
      else assert.equal((outcome as PromiseRejectedResult).reason.code, '55P03');
    }
    assert.deepEqual(batches, [
      [0, 1, 2, 3],
      [0, 2],
      [4, 6],
    ]);
    await assert.rejects(group.add(1), { code: '55P03' }, 'it is refused without asking');
    assert.equal(batches.length, 3);

    isLocked = false;
    // Until the release of the row is noticed.
    while ((await group.add(1).catch(() => undefined)) === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });
}

test('a lock that was released after the timeout fails nobody', async () => {
  const { group, batches } = groupOver(
    async (items, call) => {
      if (call === 1) throw failure('55P03');
      return await double(items, call);
    },
    { locks: { rowOf: (item) => item % 2, findLocked: async () => [] } },
  );
  assert.deepEqual(await Promise.all([1, 2].map((item) => group.add(item))), [2, 4]);
  assert.deepEqual(batches, [
    [1, 2],
    [1, 2],
  ]);
});

test('a lock timeout is retried once', async () => {
  const { group, batches } = groupOver(
    async () => {
      throw failure('55P03');
    },
    { locks: { rowOf: (item) => item % 2, findLocked: async () => [] } },
  );
  await assert.rejects(group.add(1), { code: '55P03' });
  assert.equal(batches.length, 2);
});

test('any other failure fails its batch alone, and the next batch is served', async () => {
  const { group } = groupOver(
    async (items, call) => {
      if (call === 1) throw failure('42P01');
      return await double(items, call);
    },
    { itemsMax: 2 },
  );
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map((item) => group.add(item)));
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected', 'fulfilled', 'fulfilled'],
  );
});

test('a missing result fails the batch instead of shifting results to other items', async () => {
  const { group } = groupOver(async (items) => items.slice(1));
  const outcomes = await Promise.allSettled([1, 2].map((item) => group.add(item)));
  assert(outcomes.every((outcome) => outcome.status === 'rejected'));
});

test('idle waits for the running statement and for the queue', async () => {
  const { group, batches } = groupOver(double, { itemsMax: 1 });
  await group.idle();
  const added = [1, 2, 3].map((item) => group.add(item));
  await group.idle();
  assert.equal(batches.length, 3);
  await Promise.all(added);
});
