/**
 * A process of its own that opens the embedded database of a folder, says so in one line of JSON
 * and holds it until it is told to stop: what the tests kill.
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
  // Whatever becomes of the database, this process stays until it is told otherwise.
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
