/** The table of `npm test -- peers` (scripts/peer-table.mjs). */
import assert from 'node:assert/strict';
import { test } from 'node:test';

type Test = { name: string; result: 'ok' | 'failed' | 'skipped'; why?: string };

const script = new URL('../../../scripts/peer-table.mjs', import.meta.url).href;
const { formatPeerTable } = (await import(script)) as {
  formatPeerTable(tests: readonly Test[]): string;
};

const ok = (name: string): Test => ({ name, result: 'ok' });
const failed = (name: string): Test => ({ name, result: 'failed' });
const skipped = (name: string, why: string): Test => ({ name, result: 'skipped', why });

function expectTable(tests: readonly Test[], lines: readonly string[]): void {
  assert.deepEqual(formatPeerTable(tests).split('\n'), lines);
}

test('a case has one line, and each peer a column', () => {
  expectTable(
    [
      ok('node-smpp: a receipt: delivered'),
      ok('node-smpp: a long text: two parts'),
      failed('Net::SMPP: a receipt: delivered'),
    ],
    [
      'case         node-smpp  Net::SMPP  expected',
      'a receipt    ok         failed     delivered',
      'a long text  ok         —          two parts',
      '',
      '2 peers, 2 cases: 2 ok, 0 skipped, 1 failed',
    ],
  );
});

test('one case with two expectations has two lines', () => {
  expectTable(
    [ok('A: a receipt: delivered'), ok('B: a receipt: nothing')],
    [
      'case       A   B   expected',
      'a receipt  ok  —   delivered',
      'a receipt  —   ok  nothing',
      '',
      '2 peers, 2 cases: 2 ok, 0 skipped, 0 failed',
    ],
  );
});

test('colons after the second belong to what happened, and those without a space to the peer', () => {
  expectTable(
    [ok('Net::SMPP: a status: said: 0x58')],
    [
      'case      Net::SMPP  expected',
      'a status  ok         said: 0x58',
      '',
      '1 peer, 1 case: 1 ok, 0 skipped, 0 failed',
    ],
  );
});

test('skipped tests are counted by peer, with the reason', () => {
  expectTable(
    [
      skipped('A: one: taken', 'not installed'),
      skipped('A: two: taken', 'not installed'),
      skipped('B: one: taken', 'too old'),
    ],
    [
      'case  A        B        expected',
      'one   skipped  skipped  taken',
      'two   skipped  —        taken',
      '',
      '2 peers, 2 cases: 0 ok, 3 skipped, 0 failed',
      '2 skipped, A: not installed',
      '1 skipped, B: too old',
    ],
  );
});

test('of tests with one name the worst is in the table, and all are counted', () => {
  const [one, two] = ['A: one: taken', 'A: two: taken'];
  expectTable(
    [ok(one), failed(one), ok(two), skipped(two, 'slow'), ok(two)],
    [
      'case  A        expected',
      'one   failed   taken',
      'two   skipped  taken',
      '',
      '1 peer, 2 cases: 3 ok, 1 skipped, 1 failed',
      '1 skipped, A: slow',
    ],
  );
});

test('a test that is not named after a peer and a case is listed below', () => {
  expectTable(
    [ok('A: one: taken'), failed('/tmp/broken.test.ts'), ok('B: no expectation')],
    [
      'case  A   expected',
      'one   ok  taken',
      '',
      '1 peer, 1 case: 1 ok, 0 skipped, 0 failed',
      'not in the table, failed: /tmp/broken.test.ts',
      'not in the table, ok: B: no expectation',
    ],
  );
});

test('a run that ended before its first test has an empty table', () => {
  expectTable([], ['case  expected', '', '0 peers, 0 cases: 0 ok, 0 skipped, 0 failed']);
});
