import type { Release } from './semaphore.ts';

/** A limited number of places, of which each owner may have some, so that one cannot take them all. */
export type Places<Owner> = {
  /** Undefined when all are taken, or the owner has its share already. */
  take(owner: Owner): Release | undefined;
};

export function createPlaces<Owner>(max: { all: number; each: number }): Places<Owner> {
  const counts = new Map<Owner, number>();
  let taken = 0;
  return {
    take(owner) {
      const own = counts.get(owner) ?? 0;
      if (taken >= max.all || own >= max.each) return undefined;
      taken += 1;
      counts.set(owner, own + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        taken -= 1;
        const left = (counts.get(owner) ?? 0) - 1;
        if (left > 0) counts.set(owner, left);
        else counts.delete(owner);
      };
    },
  };
}
