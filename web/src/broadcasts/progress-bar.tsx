/** A share of the whole, from 0 to 1, and the class of its colour. */
export type BarPart = { share: number; colour: string };

export type BarProps = { parts: readonly BarPart[]; height: number };

/** How far something has come, in whole percents; the bar may show more than one part. */
export function ProgressBar(
  props: BarProps & { percent: number; label: string; valueText?: string },
) {
  const { percent, label, valueText, ...bar } = props;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={valueText}
    >
      <Bar {...bar} />
    </div>
  );
}

/** Parts side by side. Drawn by attributes: the policy of the pages allows no inline style. */
export function Bar({ parts, height }: BarProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1000 1"
      preserveAspectRatio="none"
      width="100%"
      height={height}
      className="block rounded-full bg-hairline"
    >
      {parts.map(({ share, colour }, place) => (
        <rect
          key={colour}
          x={shareBefore(parts, place) * 1_000}
          width={share * 1_000}
          height={1}
          fill="currentColor"
          className={colour}
        />
      ))}
    </svg>
  );
}

function shareBefore(parts: readonly BarPart[], place: number): number {
  return parts.slice(0, place).reduce((sum, { share }) => sum + share, 0);
}
