import type { Release } from '../runtime/semaphore.ts';
import { networksOf } from './network.ts';

/** How much of something each network has, so that one of them cannot take all of it. */
export type Shares = {
  /** Undefined when a network of this address has its share already. */
  take(address: string): Release | undefined;
};

/** The limit is that of the narrowest network. A wider one has more, but not that of all in it. */
export function createShares(max: number): Shares {
  const counts = new Map<string, number>();
  const countOf = (name: string) => counts.get(name) ?? 0;
  const add = (name: string, change: 1 | -1) => {
    const count = countOf(name) + change;
    if (count === 0) counts.delete(name);
    else counts.set(name, count);
  };
  return {
    take(address) {
      const networks = networksOf(address);
      if (networks.some(({ name, size }) => countOf(name) >= max * size)) return undefined;
      for (const { name } of networks) add(name, 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        for (const { name } of networks) add(name, -1);
      };
    },
  };
}
