import { Clock } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Chip } from './chip.tsx';

const COUNTING_MS = 2_000;

type Counted = { hours_to_count: number };

/** Shown while the figures are still incomplete. */
export function CountingChip({ hours }: { hours: number }) {
  const texts = useTexts().ui;
  if (hours === 0) return null;
  return (
    <p role="status">
      <Chip tone="info" icon={Clock}>
        {texts.counting(hours)}
      </Chip>
    </p>
  );
}

/** For `refetchInterval`: 2 s while figures are being counted, otherwise the given interval. */
export function whileCounting(otherwise: number | false) {
  return ({ state: { data } }: { state: { data: Counted | undefined } }) =>
    data !== undefined && data.hours_to_count > 0 ? COUNTING_MS : otherwise;
}
