import type { LiveNodes } from '../runtime/live-nodes.ts';
import { networksOf } from './network.ts';
import { createRateLimiter } from './rate.ts';

/** Calls per minute of one household; a wider network may hold several. */
export type NetworkLimiter = {
  take(address: string): { isAllowed: boolean; waitSeconds: number };
};

export function createNetworkLimiter(
  perMinute: number,
  { answering }: Pick<LiveNodes, 'answering'>,
): NetworkLimiter {
  const limiter = createRateLimiter({ nodes: answering });
  return {
    take(address) {
      const verdicts = networksOf(address).map(({ name, size }) =>
        limiter.take(name, perMinute * size),
      );
      return {
        isAllowed: verdicts.every(({ isAllowed }) => isAllowed),
        waitSeconds: Math.max(...verdicts.map((verdict) => verdict.waitSeconds)),
      };
    },
  };
}
