import { useFormat, useTexts } from '../../texts/use-texts.tsx';

const WIDTH = 84;
const HEIGHT = 24;
const GAP = 3;
/** The minimum height, so that a day without sends is still visible. */
const HEIGHT_MIN = 1.5;

/** Sends of the last days as columns, with their sum. */
export function Sparkline({ days }: { days: readonly number[] }) {
  const texts = useTexts().keys;
  const format = useFormat();
  if (days.length === 0) return <span className="text-faint">—</span>;
  const sum = days.reduce((total, count) => total + count, 0);
  const max = Math.max(...days, 1);
  const step = WIDTH / days.length;
  return (
    <span className="inline-flex items-center justify-end gap-2 align-middle">
      <svg
        role="img"
        aria-label={texts.sendsByDay(days.map(format.number).join(', '))}
        width={WIDTH}
        height={HEIGHT}
        className="shrink-0 fill-brand"
      >
        {days.map((count, place) => {
          const height = Math.max(HEIGHT_MIN, (count / max) * HEIGHT);
          return (
            <rect
              key={place}
              x={place * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx={1}
              className={count === 0 ? 'fill-hairline' : undefined}
            />
          );
        })}
      </svg>
      <span className="min-w-10 text-end">{format.number(sum)}</span>
    </span>
  );
}
