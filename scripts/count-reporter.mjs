/**
 * A node:test reporter that writes the totals of the whole run, and what failed, as one JSON
 * object.
 */
export default async function* countReporter(events) {
  const failures = [];
  for await (const { type, data } of events) {
    if (type === 'test:fail' && data.details.error.failureType !== 'subtestsFailed') {
      const { message, cause } = data.details.error;
      failures.push({ test: data.name, reason: String(cause?.message ?? message) });
    }
    // Each file has a summary of its own; the one without a file is the total.
    if (type !== 'test:summary' || data.file !== undefined) continue;
    const { passed, failed, cancelled, skipped, todo } = data.counts;
    // A suite whose hook failed, or a file of a batch that cannot be loaded, is no test of Node's.
    const allFailed = Math.max(failed + cancelled, failures.length);
    const counts = { passed, failed: allFailed, skipped: skipped + todo };
    yield `${JSON.stringify({ ...counts, failures })}\n`;
  }
}
