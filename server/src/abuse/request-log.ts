import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { type LoggedRequest, logRequests } from './request-log-store.ts';

/**
 * Logs a call that did not become a message. No caller waits for it, and a full queue fails no
 * request.
 */
export function keepRequest(
  { db, log }: { db: Database; log: Logger },
  request: LoggedRequest,
): void {
  db.inGroup(logRequests, request).catch((error: Error) => {
    log.warn({ reason: error.message }, 'request was not logged');
  });
}
