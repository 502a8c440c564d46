import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { StatementNotSent } from '../../db/group-commit.ts';
import type { Outcome, OutgoingMessage } from '../channel.ts';
import { unavailable, unknown } from '../failed-outcome.ts';
import { collectOutcomes, giveUpHanded, handMessages, withdrawHanded } from './handed-store.ts';

export type HandOver = {
  /** Lets the holder of the provider send a message. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<Outcome>;
};

/** A new holder takes over in this time more often than not; after it another channel is tried. */
const TAKE_MS = 2_000;
const POLL_MS = 8;

const NOT_TAKEN = {
  ...unavailable('Узел, который держит связь с оператором SMS, не взял сообщение'),
  isNotOffered: true,
} as const;
const NO_ANSWER = {
  ...unknown('Узел, который держит связь с оператором SMS, не ответил'),
  // It says nothing about the provider.
  isConnectionLost: true,
} as const;

/**
 * The side of a node that does not hold the provider. What nobody has taken is withdrawn, and then
 * was not sent for sure; what was taken and has no outcome in time is unknown.
 */
export function createHandOver({
  db,
  provider,
  seal,
}: {
  db: Database;
  provider: string;
  seal(text: string): Buffer;
}): HandOver {
  const collector = createCollector(db);

  const settle = async (id: string): Promise<Outcome> => {
    if (await withdrawHanded(db, id)) return NOT_TAKEN;
    if (await giveUpHanded(db, id)) return NO_ANSWER;
    const [found] = await collectOutcomes(db, [id]);
    return found?.outcome ?? NO_ANSWER;
  };

  return {
    async send(message, signal) {
      const id = randomUUID();
      const sealed = seal(JSON.stringify(message));
      const answered = collector.wait(id);
      try {
        await db.inGroup(handMessages, { id, provider, sealed, takeSeconds: TAKE_MS / 1_000 });
        const early = await firstOf(answered, signal, TAKE_MS);
        if (early !== undefined) return early;
        if (!signal.aborted) {
          if (await withdrawHanded(db, id)) return NOT_TAKEN;
          const late = await firstOf(answered, signal);
          if (late !== undefined) return late;
        }
        return await settle(id);
      } catch (error) {
        if (error instanceof StatementNotSent) return NOT_TAKEN;
        // The database is away: nobody knows whether the holder has it.
        return NO_ANSWER;
      } finally {
        collector.forget(id);
      }
    },
  };
}

/** The outcome; undefined when the time is over or the signal is aborted first. */
async function firstOf(
  answered: Promise<Outcome>,
  signal: AbortSignal,
  limitMs?: number,
): Promise<Outcome | undefined> {
  const { promise: ended, resolve } = Promise.withResolvers<undefined>();
  const end = () => resolve(undefined);
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([answered, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Asks for the outcomes of all messages that are waited for, in one statement, while there are any. */
function createCollector(db: Database) {
  const waiting = new Map<string, (outcome: Outcome) => void>();
  let isPolling = false;

  const poll = async () => {
    isPolling = true;
    while (waiting.size > 0) {
      await pause(POLL_MS);
      // While the database is away there is nothing to hear; each message has its own deadline.
      const found = await collectOutcomes(db, [...waiting.keys()]).catch(() => []);
      for (const { id, outcome } of found) waiting.get(id)?.(outcome);
    }
    isPolling = false;
  };

  return {
    wait(id: string): Promise<Outcome> {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      waiting.set(id, (outcome) => {
        waiting.delete(id);
        resolve(outcome);
      });
      if (!isPolling) void poll();
      return promise;
    },
    forget(id: string): void {
      waiting.delete(id);
    },
  };
}
