import { classes } from '../classes.ts';

/** A loading placeholder; it appears only after a short delay. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={classes('appear-late block h-4 rounded-control bg-hairline', className)}
    />
  );
}

export function SkeletonCard({ lines = 3 }: { lines?: number }) {
  return (
    <div
      aria-hidden="true"
      className="grid gap-3 rounded-card border border-hairline bg-surface p-5"
    >
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} className={line === lines - 1 ? 'w-1/2' : 'w-full'} />
      ))}
    </div>
  );
}
