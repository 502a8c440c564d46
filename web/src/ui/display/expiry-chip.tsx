import { KEY_EXPIRY_WARNING_DAYS } from '@zhiber/contract/api/limits.ts';
import { CalendarClock } from 'lucide-react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Chip } from './chip.tsx';
import { expiryState } from './expiry-state.ts';

/** The end of a key that has one, in a list. */
export function ExpiryChip({ end }: { end: string | null }) {
  const texts = useTexts().keys;
  const format = useFormat();
  const state = expiryState(end, { now: Date.now(), warnDays: KEY_EXPIRY_WARNING_DAYS });
  if (end === null || state === 'none') return null;
  if (state === 'over') {
    return (
      <Chip tone="bad" icon={CalendarClock}>
        {texts.states.expired}
      </Chip>
    );
  }
  return (
    <Chip tone={state === 'soon' ? 'warn' : 'calm'} icon={CalendarClock}>
      {texts.expiry.chip(format.date(end))}
    </Chip>
  );
}
