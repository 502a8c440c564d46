import path from 'node:path';
import type { Context, RefusedSend } from '../context.ts';
import { type DurableQueue, openDurableQueue } from '../db/durable-queue.ts';
import { refuseSends } from './refusal-store.ts';

/**
 * Guarantees that a failed send is never charged, even when the database goes away in the middle of
 * it. What was written is unknown then: the answer to a commit may be lost, a server that hung may
 * run its statement later, and a commit that waits for a standby may become visible at any time. So
 * the refusal is on disk before the caller gets the error. It is applied when the database accepts
 * writes again, by this process or by the next one.
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
