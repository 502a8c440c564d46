import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { type DragEvent, useState } from 'react';
import type { Answer } from '../../call.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { autoSentence } from './auto-sentence.ts';
import { ChannelLine } from './channel-line.tsx';
import { type ChannelRow, channelsOn, moveTo, orderRows, switchChannel } from './channel-order.ts';

export type ChannelFacts = Pick<Answer<'keys'>, 'prices' | 'carries'>;

export type ChannelOrderProps = {
  facts: ChannelFacts;
  mode: 'test' | 'live';
  fallbackSeconds: number;
  /** The initially enabled channels, in their order. */
  initial: readonly Channel[];
  onChange: (channels: Channel[]) => void;
  isDisabled?: boolean;
};

/** Enables channels and orders them by buttons, keyboard or dragging. */
export function ChannelOrderField(props: ChannelOrderProps) {
  const { facts, mode, initial, onChange, isDisabled = false } = props;
  const texts = useTexts().keys;
  const [rows, setRows] = useState<readonly ChannelRow[]>(() => orderRows(initial));
  const [dragged, setDragged] = useState<Channel>();
  const [announcement, setAnnouncement] = useState('');
  const change = (next: readonly ChannelRow[]) => {
    setRows(next);
    onChange(channelsOn(next));
  };
  const move = (channel: Channel, place: number) => {
    const next = moveTo(rows, channel, place);
    if (next === rows) return;
    change(next);
    setAnnouncement(texts.movedTo(CHANNEL_TITLES[channel], place + 1, rows.length));
  };
  const toggle = (channel: Channel) => {
    const next = switchChannel(rows, channel);
    if (next === rows) setAnnouncement(texts.lastChannel);
    else change(next);
  };
  const dragOver = (place: number) => (event: DragEvent) => {
    if (dragged === undefined) return;
    event.preventDefault();
    move(dragged, place);
  };
  return (
    <fieldset className="grid gap-2" disabled={isDisabled}>
      <legend className="mb-1.5 text-table font-medium">{texts.channelOrder}</legend>
      <ol className="grid divide-y divide-hairline rounded-card border border-hairline">
        {rows.map((row, place) => (
          <ChannelLine
            key={row.channel}
            row={row}
            rows={rows}
            place={place}
            price={facts.prices[row.channel]}
            isFree={mode === 'test'}
            carried={facts.carries[mode][row.channel]}
            onMove={(step) => move(row.channel, place + step)}
            onSwitch={() => toggle(row.channel)}
            isDisabled={isDisabled}
            drag={{
              isDragged: dragged === row.channel,
              onDragStart: () => setDragged(row.channel),
              onDragOver: dragOver(place),
              onDragEnd: () => setDragged(undefined),
            }}
          />
        ))}
      </ol>
      <AutoLine {...props} channels={channelsOn(rows)} />
      {/* Inside the control: live regions outside an open dialog are not announced. */}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </fieldset>
  );
}

function AutoLine(props: ChannelOrderProps & { channels: Channel[] }) {
  const { facts, mode, fallbackSeconds, channels } = props;
  const texts = useTexts().keys;
  const { money } = useFormat();
  const carriers = channels.filter((channel) => facts.carries[mode][channel].includes('code'));
  const prices = mode === 'test' ? null : facts.prices;
  return (
    <p className="rounded-control bg-sunken px-3 py-2 text-table">
      {autoSentence({ channels: carriers, fallbackSeconds, prices }, texts.auto, money)}
    </p>
  );
}
