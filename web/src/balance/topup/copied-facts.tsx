import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';

export type CopiedFact = {
  name: string;
  shown: string;
  /** Where it differs from what is shown. */
  copied?: string;
  /** The name of the copy button; without it there is none. */
  copyLabel?: string;
  isLarge?: boolean;
};

/** What a payer types into the bank's app, each with a button that copies it. */
export function CopiedFacts({ rows }: { rows: readonly CopiedFact[] }) {
  return (
    <dl className="grid items-center gap-x-6 gap-y-1 text-table sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {rows.map(({ name, shown, copied, copyLabel, isLarge }) => (
        <div key={name} className="contents">
          <dt className="text-muted max-sm:not-first:mt-1">{name}</dt>
          <dd className="flex min-h-9 min-w-0 items-center gap-1">
            <span
              translate="no"
              className={classes(
                'min-w-0 wrap-anywhere',
                isLarge === true ? 'text-xl font-semibold' : 'font-medium',
              )}
            >
              {shown}
            </span>
            {copyLabel !== undefined && (
              <CopyButton isIcon text={copied ?? shown} label={copyLabel} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
