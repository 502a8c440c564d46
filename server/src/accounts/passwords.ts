import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
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
/** A longer queue means a wait of a quarter of a minute, so it is refused. */
const WAITING_MAX = 16;
/** Of the queue and the running hashes, so that one network cannot keep everybody out. */
const PER_NETWORK_MAX = 4;
const NETWORK_RETRY_SECONDS = 2;
/** A hash that took longer waited for the processor, and used no more of it. */
const PAUSE_MS_MAX = 1_000;

export type Passwords = {
  /** Throws `weak_password` or `personal_password` for one that would be guessed soon. */
  refuseGuessable(given: {
    password: string;
    person: PersonalFacts;
    address: string;
  }): Promise<void>;
  hash(given: { password: string; address: string }): Promise<string>;
  /**
   * `findHash` runs only once this password is admitted to the queue: a refused one costs no attempt.
   * Without a hash the result is false, after the same work as with one.
   */
  verify(given: {
    findHash: () => Promise<string | undefined>;
    password: string;
    address: string;
  }): Promise<boolean>;
};

/**
 * Hashes passwords, a few at a time. Throws `service_unavailable` when the queue is full, and
 * `sign_in_limited` when the share of this network is, before any work is done. A hash stores its
 * own cost, so that older ones stay valid when the cost is raised.
 */
export function createPasswords(cost: Cost = COST): Passwords {
  const semaphore = createSemaphore(CONCURRENT_MAX);
  const hasher = createHasher();
  const shares = createShares(PER_NETWORK_MAX);
  let underWay = 0;
  const admit = async <Result>(address: string, work: () => Promise<Result>): Promise<Result> => {
    if (underWay >= CONCURRENT_MAX + WAITING_MAX) throw new Problem('service_unavailable');
    const release = shares.take(address);
    if (release === undefined) {
      throw new Problem('sign_in_limited', { retry_after: NETWORK_RETRY_SECONDS });
    }
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      release();
    }
  };
  /** The next waits as long as this one took: hashes without a pause would slow sends down. */
  const whenFree = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const release = await semaphore.acquire();
    const startedMs = performance.now();
    try {
      return await work();
    } finally {
      const tookMs = performance.now() - startedMs;
      if (release) setTimeout(release, Math.min(tookMs, PAUSE_MS_MAX)).unref();
    }
  };
  const derive = (password: string, salt: Buffer, hashCost: Cost): Promise<Buffer> =>
    whenFree(() => hasher.derive(password, salt, hashCost));
  return {
    refuseGuessable: ({ password, person, address }) =>
      admit(address, async () => {
        const verdict = await whenFree(() => hasher.judge(password, person));
        if (verdict !== 'fine') throw new Problem(`${verdict}_password`);
      }),
    hash: ({ password, address }) =>
      admit(address, async () => {
        const salt = randomBytes(SALT_BYTES);
        const key = await derive(password, salt, cost);
        const { N, r, p } = cost;
        return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
      }),
    verify: ({ findHash, password, address }) =>
      admit(address, async () => {
        const hash = await findHash();
        if (hash === undefined) {
          await derive(password, randomBytes(SALT_BYTES), cost);
          return false;
        }
        const [, N, r, p, salt = '', key = ''] = hash.split('$');
        const hashCost = { N: Number(N), r: Number(r), p: Number(p) };
        const expected = Buffer.from(key, 'base64');
        const derived = await derive(password, Buffer.from(salt, 'base64'), hashCost);
        return derived.length === expected.length && timingSafeEqual(derived, expected);
      }),
  };
}
