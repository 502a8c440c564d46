import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Route } from '../delivery/choose-route.ts';
import type { StoredBroadcast, WaitingRow } from './broadcast-store.ts';

export type ComposedRecipient = {
  /** The text of each channel of the route. */
  texts: Partial<Record<Channel, string>>;
  /** Kept with the message, for the history and for a later channel. */
  body: string;
};

export function composeRecipient(
  broadcast: StoredBroadcast,
  _row: WaitingRow,
  { route, link }: { route: Route; link: string | undefined },
): ComposedRecipient {
  const text = link === undefined ? broadcast.text : broadcast.text.replaceAll(':link', link);
  return { texts: Object.fromEntries(route.map(({ channel }) => [channel, text])), body: text };
}
