/**
 * A process that opens the embedded database of a folder, prints a report as one line of JSON, and
 * keeps the database open until SIGTERM. The tests kill it.
 */
import { openEmbedded } from '../../src/db/embedded.ts';

const [dataDir = '', as = 'owner'] = process.argv.slice(2);

try {
  const startedAt = performance.now();
  const database = await openEmbedded({
    dataDir,
    as: as === 'visitor' ? 'visitor' : 'owner',
    log: (line) => console.error(line),
  });
  const ms = Math.round(performance.now() - startedAt);
  // Keeps the process alive even when the database dies.
  setInterval(() => undefined, 60_000);
  process.once('SIGTERM', async () => {
    await database.stop();
    process.exit(0);
  });
  console.log(JSON.stringify({ ok: true, joined: database.joined, version: database.version, ms }));
} catch (error) {
  const { name, message, pid } = error as Error & { pid?: number };
  console.log(JSON.stringify({ ok: false, name, message, pid }));
  process.exit(1);
}
