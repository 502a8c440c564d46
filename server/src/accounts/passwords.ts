import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { networkOf } from '../abuse/network.ts';
import { createShares } from '../abuse/shares.ts';
import { Problem } from '../problem.ts';
import { createSemaphore } from '../runtime/semaphore.ts';
import { type Cost, createHasher } from './hasher.ts';
import type { PersonalFacts } from './judge-password.ts';

/** The cost that OWASP recommends for scrypt: 128 MiB and about half a second of one core. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
/** Never every core: a flood of sign-ins must leave some for sends. */
const CONCURRENT_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
/** A longer queue means a wait of several seconds, so it is refused. */
const WAITING_MAX = 16;
/** Of the queue and the running hashes, so that one network cannot keep everybody out. */
const PER_NETWORK_MAX = 4;
const NETWORK_RETRY_SECONDS = 2;

export type Passwords = {
  /** Throws when the queue, or the share of this address, is full: before any work is done. */
  refuseWhenFull(address: string): void;
  /** Throws `weak_password` or `personal_password` for one that would be guessed soon. */
  refuseGuessable(given: {
    password: string;
    person: PersonalFacts;
    address: string;
  }): Promise<void>;
  hash(given: { password: string; address: string }): Promise<string>;
  /** Without a hash the result is false, after the same work as with one. */
  verify(given: { hash: string | undefined; password: string; address: string }): Promise<boolean>;
};

/**
 * Hashes passwords, a few at a time; throws `service_unavailable` when the queue is full. A hash
 * stores its own cost, so that older ones stay valid when the cost is raised.
 */
export function createPasswords(cost: Cost = COST): Passwords {
  const semaphore = createSemaphore(CONCURRENT_MAX);
  const hasher = createHasher();
  const shares = createShares(PER_NETWORK_MAX);
  const refuseWhenFull = (address: string) => {
    if (semaphore.waiting >= WAITING_MAX) throw new Problem('service_unavailable');
    if (shares.countOf(networkOf(address)) >= PER_NETWORK_MAX) {
      throw new Problem('sign_in_limited', { retry_after: NETWORK_RETRY_SECONDS });
    }
  };
  const inTurn = async <T>(address: string, work: () => Promise<T>): Promise<T> => {
    refuseWhenFull(address);
    const leave = shares.take(networkOf(address));
    const release = await semaphore.acquire();
    try {
      return await work();
    } finally {
      release?.();
      leave?.();
    }
  };
  const deriveInTurn = (
    { password, address }: { password: string; address: string },
    salt: Buffer,
    hashCost: Cost,
  ): Promise<Buffer> => inTurn(address, () => hasher.derive(password, salt, hashCost));
  return {
    refuseWhenFull,
    async refuseGuessable({ password, person, address }) {
      const verdict = await inTurn(address, () => hasher.judge(password, person));
      if (verdict !== 'fine') throw new Problem(`${verdict}_password`);
    },
    async hash(given) {
      const salt = randomBytes(SALT_BYTES);
      const key = await deriveInTurn(given, salt, cost);
      const { N, r, p } = cost;
      return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
    },
    async verify({ hash, ...given }) {
      if (hash === undefined) {
        await deriveInTurn(given, randomBytes(SALT_BYTES), cost);
        return false;
      }
      const [, N, r, p, salt = '', key = ''] = hash.split('$');
      const hashCost = { N: Number(N), r: Number(r), p: Number(p) };
      const expected = Buffer.from(key, 'base64');
      const derived = await deriveInTurn(given, Buffer.from(salt, 'base64'), hashCost);
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
  };
}
