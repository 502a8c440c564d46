import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

export function Card(props: {
  title?: ReactNode;
  /** Beside the title: a link or a switch. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  const { title, aside, children, className } = props;
  return (
    <section
      className={classes(
        'min-w-0 rounded-card border border-hairline bg-surface p-4 sm:p-5',
        className,
      )}
    >
      {title !== undefined && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="text-base">{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

const STAT_COLUMNS = {
  3: 'lg:grid-cols-3',
  4: 'lg:grid-cols-4',
  5: 'lg:grid-cols-3 xl:grid-cols-5',
} as const;

/** Key figures: in one row, and in pairs on a phone, where the last of an odd number has a row. */
export function Stats(props: { columns: keyof typeof STAT_COLUMNS; children: ReactNode }) {
  return (
    <div
      className={classes(
        'grid grid-cols-2 gap-3 max-lg:[&>:last-child:nth-child(odd)]:col-span-2 sm:gap-4',
        STAT_COLUMNS[props.columns],
      )}
    >
      {props.children}
    </div>
  );
}

/** One key figure with its label and a note. */
export function Stat(props: { label: ReactNode; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-0.5 rounded-card border border-hairline bg-surface p-3 sm:p-4">
      <p className="text-sm text-muted">{props.label}</p>
      <p className="text-xl font-semibold tracking-tight wrap-anywhere sm:text-2xl">
        {props.value}
      </p>
      {props.note !== undefined && <p className="text-sm text-muted">{props.note}</p>}
    </div>
  );
}

/** A list of names and values. */
export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_1fr] gap-x-6 gap-y-2 text-table">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="min-w-24 text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
