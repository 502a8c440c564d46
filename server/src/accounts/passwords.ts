import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Problem } from '../problem.ts';
import { createSemaphore } from '../runtime/semaphore.ts';
import { type Cost, createHasher } from './hasher.ts';

/** The cost that OWASP recommends for scrypt: 128 MiB and about half a second of one core. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
/** Never every core: a flood of sign-ins must leave some for sends. */
const CONCURRENT_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
/** A longer queue means a wait of several seconds, so it is refused. */
const WAITING_MAX = 16;

export type Passwords = {
  /** Throws when the queue is full, before any work is done. */
  refuseWhenFull(): void;
  hash(password: string): Promise<string>;
  /** Without a hash the result is false, after the same work as with one. */
  verify(given: { hash: string | undefined; password: string }): Promise<boolean>;
};

/**
 * Hashes passwords, a few at a time; throws `service_unavailable` when the queue is full. A hash
 * stores its own cost, so that older ones stay valid when the cost is raised.
 */
export function createPasswords(cost: Cost = COST): Passwords {
  const semaphore = createSemaphore(CONCURRENT_MAX);
  const derive = createHasher();
  const refuseWhenFull = () => {
    if (semaphore.waiting >= WAITING_MAX) throw new Problem('service_unavailable');
  };
  const deriveInTurn = async (password: string, salt: Buffer, hashCost: Cost): Promise<Buffer> => {
    refuseWhenFull();
    const release = await semaphore.acquire();
    try {
      return await derive(password, salt, hashCost);
    } finally {
      release?.();
    }
  };
  return {
    refuseWhenFull,
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await deriveInTurn(password, salt, cost);
      const { N, r, p } = cost;
      return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
    },
    async verify({ hash, password }) {
      if (hash === undefined) {
        await deriveInTurn(password, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const [, N, r, p, salt = '', key = ''] = hash.split('$');
      const hashCost = { N: Number(N), r: Number(r), p: Number(p) };
      const expected = Buffer.from(key, 'base64');
      const derived = await deriveInTurn(password, Buffer.from(salt, 'base64'), hashCost);
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
  };
}
