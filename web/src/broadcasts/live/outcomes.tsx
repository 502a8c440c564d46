import type { RecipientOutcome } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { useEffect, useRef } from 'react';
import { useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { percentOf } from '../progress.ts';
import { ProgressBar } from '../progress-bar.tsx';
import { sharesOf } from './shares.ts';

/** From what went best to what is left, with the colour of each. Shades are told apart by the table. */
const PARTS = [
  ['read', 'text-ok'],
  ['delivered', 'text-ok/70'],
  ['sent', 'text-brand'],
  ['sending', 'text-brand/60'],
  ['unknown', 'text-warn'],
  ['failed', 'text-bad'],
  ['skipped', 'text-muted'],
  ['waiting', 'text-hairline'],
] as const satisfies readonly (readonly [RecipientOutcome, string])[];

/** Always shown, so that the table keeps its shape; the others when there are any. */
const ALWAYS: readonly RecipientOutcome[] = ['read', 'delivered', 'sent', 'failed', 'waiting'];

/** How far a broadcast has come: a bar and, under it, its parts as counts and percents that add up. */
export function Outcomes({ progress }: { progress: Progress }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { recipients, outcomes } = progress;
  const taken = recipients - outcomes.waiting;
  const percent = percentOf(taken, recipients);
  const done = texts.done(format.number(taken), format.number(recipients));
  useAnnouncedTenths(percent);
  const counts = PARTS.map(([outcome]) => outcomes[outcome]);
  const shares = sharesOf(counts);
  return (
    <div className="grid gap-4">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-2xl font-semibold tracking-tight">{done}</span>
        <span className="text-lg text-muted">{format.percent(percent / 100)}</span>
      </p>
      <ProgressBar
        label={texts.progress}
        percent={percent}
        valueText={`${percent} %: ${done}`}
        height={14}
        parts={PARTS.map(([, colour], place) => ({ share: shares[place] as number, colour }))}
      />
      <table className="w-full text-table">
        <caption className="sr-only">{texts.progress}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{texts.outcome}</th>
            <th scope="col">{texts.recipients}</th>
            <th scope="col">{texts.share}</th>
          </tr>
        </thead>
        <tbody>
          {PARTS.map(([outcome, colour], place) =>
            ALWAYS.includes(outcome) || outcomes[outcome] > 0 ? (
              <tr key={outcome} className="border-t border-hairline">
                <th scope="row" className="py-1.5 pe-3 text-start font-normal">
                  <span className="inline-flex items-center gap-2">
                    <svg
                      aria-hidden="true"
                      width={10}
                      height={10}
                      className={classes('shrink-0', colour)}
                    >
                      <rect width={10} height={10} rx={2} fill="currentColor" />
                    </svg>
                    {texts.outcomes[outcome]}
                  </span>
                </th>
                <td className="px-3 py-1.5 text-end">{format.number(outcomes[outcome])}</td>
                <td className="py-1.5 ps-3 text-end whitespace-nowrap text-muted">
                  {format.percent(shares[place] as number)}
                </td>
              </tr>
            ) : null,
          )}
        </tbody>
        <tfoot>
          <tr className="border-t border-border font-medium">
            <th scope="row" className="py-1.5 pe-3 text-start font-medium">
              {texts.total}
            </th>
            <td className="px-3 py-1.5 text-end">{format.number(recipients)}</td>
            <td className="py-1.5 ps-3 text-end whitespace-nowrap">{format.percent(1)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** Tells screen readers every ten percent, and not where it stood when the page was opened. */
function useAnnouncedTenths(percent: number): void {
  const texts = useProgressTexts();
  const { announce } = useToasts();
  const told = useRef(Math.floor(percent / 10));
  useEffect(() => {
    const tenth = Math.floor(percent / 10);
    if (tenth <= told.current) return;
    told.current = tenth;
    announce(texts.announced(tenth * 10));
  }, [percent, announce, texts]);
}
