import path from 'node:path';
import type { Context, RefusedSend } from '../context.ts';
import { type DurableQueue, openDurableQueue } from '../db/durable-queue.ts';
import { refuseSends } from './refusal-store.ts';

/**
 * Keeps the promise that a failure is never charged when the database goes away in the middle of a
 * send. What was written about it is not known then: the answer of a commit may have been lost, a
 * server that hung runs its statement later, and a commit that waits for a standby shows itself when
 * it likes. So the refusal is on disk before the caller hears of it, and is carried out when the
 * database can be written to again, by this process or by the next one.
 */
export function openRefusals({
  config,
  db,
  log,
}: Pick<Context, 'config' | 'db' | 'log'>): Promise<DurableQueue<RefusedSend>> {
  return openDurableQueue<RefusedSend>({
    folder: path.join(config.dataDir, 'refused-sends'),
    log,
    work: (sends) => refuseSends(db, sends),
  });
}
