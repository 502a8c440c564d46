import { useFormat, useTexts } from '../../texts/use-texts.tsx';

/** An instant in Almaty; the tooltip adds the zone and UTC. */
export function Time(props: { at: string; as?: 'time' | 'timeToMinute' | 'date' | 'relative' }) {
  const { at, as = 'time' } = props;
  const format = useFormat();
  const texts = useTexts().ui;
  const title = `${format.time(at)} · ${texts.almaty}\n${at.replace('T', ' ').replace(/\.\d+/, '')} · UTC`;
  return (
    <time dateTime={at} title={title} className="whitespace-nowrap">
      {format[as](at)}
    </time>
  );
}
