import type { Channel } from '@zhiber/contract/api/channel.ts';

export type ChannelChoice = { channel: Channel; isOn: boolean };

/** The chosen channels in their order, then the other offered ones. */
export function channelChoices(
  chosen: readonly Channel[],
  offered: readonly Channel[],
): ChannelChoice[] {
  const on = chosen.filter((channel) => offered.includes(channel));
  const off = offered.filter((channel) => !on.includes(channel));
  return [
    ...on.map((channel) => ({ channel, isOn: true })),
    ...off.map((channel) => ({ channel, isOn: false })),
  ];
}

/** The order after a channel was switched on or off, or moved by one place among those that are on. */
export function switched(chosen: readonly Channel[], channel: Channel): Channel[] {
  return chosen.includes(channel) ? chosen.filter((one) => one !== channel) : [...chosen, channel];
}

export function moved(chosen: readonly Channel[], channel: Channel, step: 1 | -1): Channel[] {
  const from = chosen.indexOf(channel);
  const to = from + step;
  const other = chosen[to];
  if (from === -1 || other === undefined) return [...chosen];
  return chosen.with(from, other).with(to, channel);
}
