import { useFormat, useTexts } from '../../texts/use-texts.tsx';

/** An instant in Almaty time; the tooltip adds the zone and UTC. */
export function Time(props: { at: string; as?: 'time' | 'timeToMinute' | 'date' | 'relative' }) {
  const { at, as = 'time' } = props;
  const format = useFormat();
  return (
    <time dateTime={at} title={useZones(at)} className="whitespace-nowrap">
      {format[as](at)}
    </time>
  );
}

/** The same on two lines, for a table with many columns. */
export function StackedTime({ at }: { at: string }) {
  const format = useFormat();
  return (
    <time dateTime={at} title={useZones(at)} className="block leading-tight whitespace-nowrap">
      {format.clockSeconds(at)}
      <span className="block text-sm text-muted">{format.date(at)}</span>
    </time>
  );
}

function useZones(at: string): string {
  const format = useFormat();
  const texts = useTexts().ui;
  const utc = at.replace('T', ' ').replace(/\.\d+/, '');
  return `${format.time(at)} · ${texts.almaty}\n${utc} · UTC`;
}
