import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';

/** One line of the control. A channel that is off keeps its place, so that nothing jumps. */
export type ChannelRow = { channel: Channel; isOn: boolean };

/** The channels of a key in their order, and then those that are off. */
export function orderRows(channels: readonly Channel[]): ChannelRow[] {
  const off = CHANNELS.filter((channel) => !channels.includes(channel));
  return [
    ...channels.map((channel) => ({ channel, isOn: true })),
    ...off.map((channel) => ({ channel, isOn: false })),
  ];
}

export function channelsOn(rows: readonly ChannelRow[]): Channel[] {
  return rows.filter(({ isOn }) => isOn).map(({ channel }) => channel);
}

/** Puts a channel into a place; out of the list is as far as its end. */
export function moveTo(
  rows: readonly ChannelRow[],
  channel: Channel,
  place: number,
): readonly ChannelRow[] {
  const from = rows.findIndex((row) => row.channel === channel);
  const to = Math.max(0, Math.min(place, rows.length - 1));
  if (from === -1 || from === to) return rows;
  return rows.toSpliced(from, 1).toSpliced(to, 0, rows[from] as ChannelRow);
}

/** A key without a channel could send nothing, so the last one stays on. */
export function isLastOn(rows: readonly ChannelRow[], channel: Channel): boolean {
  const on = channelsOn(rows);
  return on.length === 1 && on[0] === channel;
}

export function switchChannel(
  rows: readonly ChannelRow[],
  channel: Channel,
): readonly ChannelRow[] {
  if (isLastOn(rows, channel)) return rows;
  return rows.map((row) => (row.channel === channel ? { ...row, isOn: !row.isOn } : row));
}
