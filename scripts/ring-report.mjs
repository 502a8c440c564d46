/** How much of a failure is printed again at the end. */
const REASON_LINES_MAX = 20;
const REASON_WIDTH_MAX = 600;

/**
 * What `npm test` prints at its end: the totals of each ring, the summaries that tests have written
 * (server/test/test-summary.ts), the table of peers (scripts/peer-table.mjs), and every failure.
 */
export function printReport(results) {
  printTotals(results);
  printSummaries(results);
  printFailures(results);
}

function printTotals(results) {
  const row = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(12) : cell.padStart(9))).join('');
  console.log(`\n${row(['ring', 'tests', 'passed', 'failed', 'seconds'])}`);
  for (const { name, passed, failed, skipped, seconds } of results) {
    const cells = [passed + failed + skipped, passed, failed, seconds.toFixed(1)];
    console.log(row([name, ...cells.map(String)]));
  }
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  const tail = skipped > 0 ? `, ${skipped} skipped` : '';
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed${tail}`);
}

function printSummaries(results) {
  for (const { summary, peerTable } of results) {
    for (const text of [summary, peerTable]) {
      if (text !== undefined) console.log(`\n${text.trimEnd()}`);
    }
  }
}

/** Printed again at the end, where a reader of a long log looks first. */
function printFailures(results) {
  for (const { name, failures = [] } of results) {
    for (const { test, reason } of failures) {
      const lines = reason.split('\n').slice(0, REASON_LINES_MAX);
      const text = lines.map((line) => `  ${line.slice(0, REASON_WIDTH_MAX)}`).join('\n');
      console.log(`\nFAILED ${name}: ${test}\n${text}`);
    }
  }
}
