import { percentOf } from './progress.ts';

/** Drawn by attributes: the policy of the pages allows no inline style. */
export function ProgressBar(props: { part: number; whole: number; label: string }) {
  const percent = percentOf(props.part, props.whole);
  return (
    <div
      role="progressbar"
      aria-label={props.label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="overflow-hidden rounded-full bg-hairline text-brand"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        width="100%"
        height={6}
        className="block"
      >
        <rect width={percent} height={1} fill="currentColor" />
      </svg>
    </div>
  );
}
