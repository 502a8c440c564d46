/**
 * The table of the tests with software that we did not write: a line for each case, a column for
 * each peer. Their names say both: "peer: case: what happened".
 */
const NAME = /^(?<peer>.+?): (?<what>.+?): (?<expected>.+)$/;
const EMPTY = '—';
/** The worst first: what a cell says when several tests have the same name. */
const RESULTS = ['failed', 'skipped', 'ok'];

export function formatPeerTable(tests) {
  const read = tests.map((test) => ({ ...test, ...NAME.exec(test.name)?.groups }));
  const placed = read.filter(({ peer }) => peer !== undefined);
  const peers = [...new Set(placed.map(({ peer }) => peer))];
  const cases = Object.values(
    Object.groupBy(placed, ({ what, expected }) => JSON.stringify([what, expected])),
  );
  const rows = cases.map((ofCase) => [
    ofCase[0].what,
    ...peers.map((peer) => cellOf(ofCase.filter((test) => test.peer === peer))),
    ofCase[0].expected,
  ]);
  const counts = RESULTS.toReversed().map(
    (result) => `${placed.filter((test) => test.result === result).length} ${result}`,
  );
  return [
    ...align([['case', ...peers, 'expected'], ...rows]),
    '',
    `${count(peers, 'peer')}, ${count(cases, 'case')}: ${counts.join(', ')}`,
    ...explainSkipped(placed),
    ...read
      .filter(({ peer }) => peer === undefined)
      .map(({ name, result }) => `not in the table, ${result}: ${name}`),
  ].join('\n');
}

function cellOf(tests) {
  return RESULTS.find((result) => tests.some((test) => test.result === result)) ?? EMPTY;
}

/** The reasons of each peer, and how many tests each has cost. */
function explainSkipped(tests) {
  const skipped = tests.filter(({ result }) => result === 'skipped');
  return Object.entries(Object.groupBy(skipped, ({ peer, why }) => `${peer}: ${why}`)).map(
    ([reason, { length }]) => `${length} skipped, ${reason}`,
  );
}

/** The last column is as long as its texts. */
function align(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]))).join('  '),
  );
}

function count(things, word) {
  return `${things.length} ${word}${things.length === 1 ? '' : 's'}`;
}
