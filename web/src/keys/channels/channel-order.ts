import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';

/** One row of the control. A disabled channel keeps its place, to avoid layout jumps. */
export type ChannelRow = { channel: Channel; isOn: boolean };

/** The channels of a key in their order, then the disabled ones. */
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

/** Moves a channel to a place, clamped to the ends of the list. */
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

/** The last enabled channel stays on: a key without channels could send nothing. */
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
