/** A reporter of node:test that writes the totals of the whole run as one JSON object. */
export default async function* countReporter(events) {
  for await (const event of events) {
    // Each file has a summary of its own; the one without a file is the total.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
    const { passed, failed, cancelled, skipped, todo } = event.data.counts;
    yield `${JSON.stringify({ passed, failed: failed + cancelled, skipped: skipped + todo })}\n`;
  }
}
