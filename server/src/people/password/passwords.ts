import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Problem } from '../../problem.ts';
import { type Cost, createHasher } from './hasher.ts';

/** The cost that OWASP names for scrypt: 128 MiB and about half a second of one core. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };
const SALT_BYTES = 16;
/** Never every core: a flood of sign-ins must leave those who send theirs. */
const AT_ONCE_MAX = Math.min(2, Math.max(1, availableParallelism() - 1));
/** Whoever would wait longer than some seconds is better told so. */
const WAITING_MAX = 16;

export type Passwords = {
  /** Refuses at once what would find no place, before anything is done for it. */
  refuseWhenFull(): void;
  hash(password: string): Promise<string>;
  verify(given: { hash: string; password: string }): Promise<boolean>;
};

/**
 * Hashes of passwords, a few at a time; past the queue, `service_unavailable`. A hash names its own
 * cost, so that older ones stay good when it is raised.
 */
export function createPasswords(cost: Cost = COST): Passwords {
  const { takeTurn, refuseWhenFull } = createTurns();
  const derive = createHasher();
  return {
    refuseWhenFull,
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await takeTurn(() => derive(password, salt, cost));
      const { N, r, p } = cost;
      return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
    },
    async verify({ hash, password }) {
      const [, N, r, p, salt = '', key = ''] = hash.split('$');
      const itsCost = { N: Number(N), r: Number(r), p: Number(p) };
      const expected = Buffer.from(key, 'base64');
      const derived = await takeTurn(() => derive(password, Buffer.from(salt, 'base64'), itsCost));
      return derived.length === expected.length && timingSafeEqual(derived, expected);
    },
  };
}

function createTurns() {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const refuseWhenFull = () => {
    if (waiting.length >= WAITING_MAX) throw new Problem('service_unavailable');
  };
  const takeTurn = async <T>(run: () => Promise<T>): Promise<T> => {
    if (underWay >= AT_ONCE_MAX) {
      refuseWhenFull();
      // Whoever ends hands the turn over, so nobody can slip in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else underWay += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
  return { takeTurn, refuseWhenFull };
}
