import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { CONTENT_KINDS } from '@zhiber/contract/cabinet/keys.ts';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { type DragEvent, type MouseEvent, useId } from 'react';
import { flushSync } from 'react-dom';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { SwitchField } from '../../ui/controls/tick-field.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { type ChannelRow, isLastOn } from './channel-order.ts';

export type ChannelLineProps = {
  row: ChannelRow;
  rows: readonly ChannelRow[];
  place: number;
  price: number;
  isFree: boolean;
  carried: readonly (typeof CONTENT_KINDS)[number][];
  isDisabled: boolean;
  onMove: (step: 1 | -1) => void;
  onSwitch: () => void;
  drag: {
    isDragged: boolean;
    onDragStart: () => void;
    onDragOver: (event: DragEvent) => void;
    onDragEnd: () => void;
  };
};

export function ChannelLine(props: ChannelLineProps) {
  const { row, rows, place, carried, drag, isDisabled } = props;
  const { isDragged, ...dragEvents } = drag;
  const texts = useTexts().keys;
  const reasonId = useId();
  return (
    <li
      draggable={!isDisabled}
      {...dragEvents}
      className={classes(
        'flex flex-wrap items-center gap-x-3 gap-y-1 py-2 ps-2 pe-3',
        isDragged && 'opacity-50',
      )}
    >
      <GripVertical
        aria-hidden="true"
        size={16}
        className="shrink-0 cursor-grab text-faint pointer-coarse:hidden"
      />
      <div className={classes('min-w-0 grow', !row.isOn && 'text-muted')}>
        <p className="flex flex-wrap items-center gap-x-2 text-table font-medium">
          <ChannelLabel channel={row.channel} />
          <Price {...props} />
        </p>
        <Carries carried={carried} />
      </div>
      <div className="ms-auto flex items-center gap-2">
        <MoveButtons {...props} isFirst={place === 0} isLast={place === rows.length - 1} />
        <OnSwitch {...props} reasonId={reasonId} />
      </div>
      {isLastOn(rows, row.channel) && (
        <p id={reasonId} className="basis-full ps-7 text-sm text-muted">
          {texts.lastChannel}
        </p>
      )}
    </li>
  );
}

function Price({ price, isFree }: ChannelLineProps) {
  const format = useFormat();
  const texts = useTexts().keys;
  return (
    <span className="font-normal text-muted">
      {isFree ? texts.freeOfCharge : format.money(price)}
    </span>
  );
}

function Carries({ carried }: Pick<ChannelLineProps, 'carried'>) {
  const texts = useTexts().keys;
  if (carried.length === 0) return <p className="text-sm text-warn">{texts.notConnected}</p>;
  return (
    <p className="text-sm text-muted">{carried.map((load) => texts.loads[load]).join(' · ')}</p>
  );
}

function MoveButtons(props: ChannelLineProps & { isFirst: boolean; isLast: boolean }) {
  const { row, onMove, isFirst, isLast } = props;
  const texts = useTexts().keys;
  const title = CHANNEL_TITLES[row.channel];
  // The button loses the focus when its row moves in the DOM.
  const move = (step: 1 | -1) => (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    flushSync(() => onMove(step));
    button.focus();
  };
  return (
    <div className="flex">
      <IconButton
        icon={ArrowUp}
        label={texts.moveUp(title)}
        aria-disabled={isFirst}
        className="aria-disabled:opacity-40"
        onClick={move(-1)}
      />
      <IconButton
        icon={ArrowDown}
        label={texts.moveDown(title)}
        aria-disabled={isLast}
        className="aria-disabled:opacity-40"
        onClick={move(1)}
      />
    </div>
  );
}

/** The last enabled channel cannot be switched off; the row shows the reason. */
function OnSwitch(props: ChannelLineProps & { reasonId: string }) {
  const { row, rows, onSwitch, reasonId } = props;
  const texts = useTexts().keys;
  const isLast = isLastOn(rows, row.channel);
  return (
    <SwitchField
      name={`channel-${row.channel}`}
      label={<span className="sr-only">{texts.switchOn(CHANNEL_TITLES[row.channel])}</span>}
      checked={row.isOn}
      aria-disabled={isLast}
      aria-details={isLast ? reasonId : undefined}
      onChange={onSwitch}
      className={isLast ? 'opacity-60' : undefined}
    />
  );
}
