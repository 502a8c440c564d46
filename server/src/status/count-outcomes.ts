import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Outcome } from '../channels/channel.ts';
import type { Memory } from '../context.ts';

/**
 * Returns what counts the answers of a channel. A refused message is neither good nor bad: mostly
 * the number has no such messenger.
 */
export function countOutcomes({
  traffic,
}: Pick<Memory, 'traffic'>): (channel: Channel, outcome: Outcome) => void {
  return (channel, { result }) => {
    if (result !== 'refused') traffic.add(channel, 'traffic', result === 'accepted');
  };
}
