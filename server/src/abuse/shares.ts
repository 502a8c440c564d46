/** Gives back what was taken; a second call does nothing. */
type Release = () => void;

/** How much of something each holder has, so that one of them cannot take all of it. */
export type Shares = {
  /** Undefined when this holder has its share already. */
  take(holder: string): Release | undefined;
  countOf(holder: string): number;
};

export function createShares(max: number): Shares {
  const counts = new Map<string, number>();
  return {
    take(holder) {
      const count = counts.get(holder) ?? 0;
      if (count >= max) return undefined;
      counts.set(holder, count + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        const left = (counts.get(holder) ?? 1) - 1;
        if (left === 0) counts.delete(holder);
        else counts.set(holder, left);
      };
    },
    countOf: (holder) => counts.get(holder) ?? 0,
  };
}
