import { useQuery } from '@tanstack/react-query';
import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { CONSENT_BASES } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { ArrowDown, ArrowUp, CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { fromAlmatyInput, toAlmatyInput } from '../../design/format/almaty-input.ts';
import { queryOf } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { SwitchField } from '../../ui/controls/tick-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Time } from '../../ui/display/time.tsx';
import { channelChoices, moved, switched } from './channel-order.ts';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useAutosave } from './use-autosave.ts';
import type { Draft } from './use-draft.ts';

/** By what, when and on what basis. Every choice is saved at once. */
export function SendingStep({ draft }: StepProps) {
  return (
    <StepFrame step="sending">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <ChannelCard draft={draft} />
          <ConsentCard draft={draft} />
        </div>
        <TimeCard draft={draft} />
      </div>
    </StepFrame>
  );
}

function ChannelCard({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { offered_channels: offered } = draft.broadcast;
  const [chosen, setChosen] = useState<readonly Channel[]>(draft.broadcast.channels);
  const [announcement, setAnnouncement] = useState('');
  const change = (channels: Channel[]) => {
    setChosen(channels);
    void draft.save({ channels });
  };
  const move = (channel: Channel, step: 1 | -1) => {
    const next = moved(chosen, channel, step);
    if (next.join() === chosen.join()) return;
    change(next);
    setAnnouncement(texts.movedTo(CHANNEL_TITLES[channel], next.indexOf(channel) + 1));
  };
  return (
    <Card title={texts.channels}>
      {offered.length === 0 ? (
        <p className="text-table text-warn">{texts.noChannels}</p>
      ) : (
        <fieldset className="grid gap-2">
          <legend className="mb-2 text-table text-muted">{texts.channelsHint}</legend>
          <ol className="grid divide-y divide-hairline rounded-card border border-hairline">
            {channelChoices(chosen, offered).map(({ channel, isOn }) => (
              <li key={channel} className="flex items-center gap-2 py-1.5 ps-3 pe-1.5">
                <label className="target flex min-w-0 grow items-center gap-2.5 text-table">
                  <input
                    type="checkbox"
                    className="size-5 shrink-0 accent-brand"
                    checked={isOn}
                    onChange={() => change(switched(chosen, channel))}
                  />
                  <ChannelLabel channel={channel} />
                  {isOn && chosen.length > 1 && (
                    <span className="text-sm text-muted">
                      {texts.placeOf(chosen.indexOf(channel) + 1)}
                    </span>
                  )}
                </label>
                {isOn && chosen.length > 1 && (
                  <MoveButtons channel={channel} chosen={chosen} onMove={move} />
                )}
              </li>
            ))}
          </ol>
          <p role="status" className="sr-only">
            {announcement}
          </p>
        </fieldset>
      )}
      {offered.length > 0 && !offered.includes('whatsapp') && (
        <p className="mt-2 text-sm text-muted">{texts.noWhatsapp}</p>
      )}
    </Card>
  );
}

function MoveButtons(props: {
  channel: Channel;
  chosen: readonly Channel[];
  onMove: (channel: Channel, step: 1 | -1) => void;
}) {
  const { channel, chosen, onMove } = props;
  const texts = useBroadcastTexts();
  const title = CHANNEL_TITLES[channel];
  return (
    <div className="flex">
      <IconButton
        icon={ArrowUp}
        label={texts.moveUp(title)}
        aria-disabled={chosen[0] === channel}
        className="aria-disabled:opacity-40"
        onClick={() => onMove(channel, -1)}
      />
      <IconButton
        icon={ArrowDown}
        label={texts.moveDown(title)}
        aria-disabled={chosen.at(-1) === channel}
        className="aria-disabled:opacity-40"
        onClick={() => onMove(channel, 1)}
      />
    </div>
  );
}

const SPREAD_HOURS = [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168];
const MINUTES_IN_HOUR = 60;
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function TimeCard({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { broadcast } = draft;
  const [isLater, setLater] = useState(broadcast.start_at !== null);
  const { spread_minutes: spread, quiet_from: from, quiet_to: to } = broadcast;
  const hours = spread === null ? [] : [spread / MINUTES_IN_HOUR];
  const spreads = [...new Set([...SPREAD_HOURS, ...hours])].sort((one, other) => one - other);
  return (
    <Card title={texts.time}>
      <div className="grid gap-4">
        <RadioGroup
          name="when"
          label={texts.when}
          isInline
          value={isLater ? 'later' : 'now'}
          onChoose={(when) => {
            setLater(when === 'later');
            if (when === 'now' && broadcast.start_at !== null) void draft.save({ start_at: null });
          }}
          options={[
            { value: 'now', label: texts.whenNow },
            { value: 'later', label: texts.whenLater },
          ]}
        />
        {isLater && <StartField draft={draft} />}
        <SelectField
          name="spread"
          label={texts.spread}
          hint={texts.spreadHint}
          value={spread === null ? '' : String(spread / MINUTES_IN_HOUR)}
          onChoose={(value) =>
            void draft.save({
              spread_minutes: value === '' ? null : Math.round(Number(value) * MINUTES_IN_HOUR),
            })
          }
          options={[
            { value: '', label: texts.spreadNone },
            ...spreads.map((count) => ({ value: String(count), label: texts.spreadHours(count) })),
          ]}
        />
        <fieldset>
          <legend className="text-table font-medium">{texts.quietHours}</legend>
          <p className="mb-2 text-sm text-muted">{texts.quietHint}</p>
          <div className="grid grid-cols-2 gap-3">
            <SelectField
              name="quiet_from"
              label={texts.quietFrom}
              value={String(from)}
              options={HOURS}
              onChoose={(value) => void draft.save({ quiet_from: Number(value) })}
            />
            <SelectField
              name="quiet_to"
              label={texts.quietTo}
              value={String(to)}
              options={HOURS}
              onChoose={(value) => void draft.save({ quiet_to: Number(value) })}
            />
          </div>
          {from === to && <p className="mt-1.5 text-sm text-warn">{texts.noQuietHours}</p>}
        </fieldset>
        <SwitchField
          name="skips_days_off"
          label={texts.skipsDaysOff}
          hint={texts.skipsDaysOffHint}
          checked={broadcast.skips_days_off}
          onChange={(event) => void draft.save({ skips_days_off: event.currentTarget.checked })}
        />
        <FirstTime draft={draft} />
      </div>
    </Card>
  );
}

/** While a year is typed, the field has the values of years long ago: those are not saved. */
const YEAR_MIN = '2020';

function StartField({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { start_at: startAt, obstacles } = draft.broadcast;
  const [typed, setTyped] = useState(startAt === null ? '' : toAlmatyInput(startAt));
  const save = useAutosave(typed, async (local) => {
    const at = local < YEAR_MIN ? undefined : fromAlmatyInput(local);
    return at === undefined ? false : await draft.save({ start_at: at });
  });
  return (
    <div className="max-w-72">
      <TextField
        name="start_at"
        type="datetime-local"
        label={texts.startAt}
        hint={texts.startAtHint}
        min={toAlmatyInput(Date.now())}
        value={typed}
        error={obstacles.includes('start_in_past') ? texts.obstacles.start_in_past : undefined}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
      />
    </div>
  );
}

/** When the first recipient gets it, with everything above taken into account. */
function FirstTime({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const { data } = useQuery(queryOf('estimate', { params: { id: draft.id } }));
  if (data === undefined) return null;
  return (
    <p role="status" className="flex gap-2 rounded-control bg-sunken px-3 py-2 text-table">
      <CalendarClock aria-hidden="true" size={18} className="mt-0.5 shrink-0 text-muted" />
      <span>
        {texts.firstTime}{' '}
        <strong className="font-semibold">
          <Time at={data.starts_at} as="timeToMinute" />
        </strong>{' '}
        · {ui.almaty}
      </span>
    </p>
  );
}

function ConsentCard({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const { consent_basis: basis, consent_note: stored } = draft.broadcast;
  const [note, setNote] = useState(stored ?? '');
  return (
    <Card title={texts.consent}>
      <div className="grid gap-4">
        <p className="text-table text-muted">{texts.consentLead}</p>
        <RadioGroup
          name="consent_basis"
          label={texts.consentBasis}
          value={basis ?? ('' as (typeof CONSENT_BASES)[number])}
          onChoose={(value) => void draft.save({ consent_basis: value })}
          options={CONSENT_BASES.map((value) => ({ value, label: texts.consentBases[value] }))}
        />
        <TextField
          name="consent_note"
          label={<Optional label={texts.consentNote} />}
          hint={texts.consentNoteHint}
          maxLength={200}
          autoComplete="off"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onBlur={() => {
            const next = note.trim() === '' ? null : note.trim();
            if (next !== stored) void draft.save({ consent_note: next });
          }}
        />
      </div>
    </Card>
  );
}
