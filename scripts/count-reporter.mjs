/**
 * A node:test reporter that writes the totals of the whole run, the result of every test, and what
 * failed, as one JSON object.
 */
export default async function* countReporter(events) {
  const failures = [];
  const tests = [];
  let skippedSuites = 0;
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { message, cause } = data.details.error;
      failures.push({ test: data.name, reason: String(cause?.message ?? message) });
    }
    if (type === 'test:pass' || type === 'test:fail') {
      if (data.details.type !== 'suite') tests.push(resultOf(type, data));
      else if (data.skip !== undefined) skippedSuites += 1;
    }
    // Each file has a summary of its own; the one without a file is the total.
    if (type !== 'test:summary' || data.file !== undefined) continue;
    const { passed, failed, cancelled, skipped, todo } = data.counts;
    // A suite whose hook failed, or a file of a batch that cannot be loaded, is no test of Node's.
    const allFailed = Math.max(failed + cancelled, failures.length);
    // Node does not look for the tests of a skipped suite, so it counts none of them.
    const allSkipped = skipped + todo + skippedSuites;
    yield `${JSON.stringify({ passed, failed: allFailed, skipped: allSkipped, failures, tests })}\n`;
  }
}

function resultOf(type, { name, skip, todo }) {
  const why = skip ?? todo;
  if (why !== undefined) return { name, result: 'skipped', why: String(why) };
  return { name, result: type === 'test:pass' ? 'ok' : 'failed' };
}
