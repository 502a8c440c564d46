import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useOnboardingTexts } from '../../texts/use-onboarding-texts.ts';
import { classes } from '../../ui/classes.ts';

/** A numbered step, which ticks itself. */
export function Step(props: {
  number: number;
  title: string;
  isDone: boolean;
  children: ReactNode;
}) {
  const { number, title, isDone, children } = props;
  const texts = useOnboardingTexts();
  return (
    <li className="grid min-w-0 gap-3 rounded-card border border-hairline bg-surface p-4 sm:p-5">
      <h2 className="flex items-center gap-3 text-base">
        <span
          className={classes(
            'grid size-7 shrink-0 place-items-center rounded-full text-sm',
            isDone ? 'bg-ok-tint text-ok' : 'border border-border text-muted',
          )}
        >
          {isDone ? <Check aria-hidden="true" size={16} strokeWidth={3} /> : number}
        </span>
        {title}
        {isDone && <span className="sr-only"> — {texts.done}</span>}
      </h2>
      {children}
    </li>
  );
}

/** Says what is waited for, and then that it has come. */
export function Awaited({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  return (
    <p
      role="status"
      className={classes('flex items-center gap-2 text-table', isDone ? 'text-ok' : 'text-muted')}
    >
      {isDone ? (
        <Check aria-hidden="true" size={16} strokeWidth={3} />
      ) : (
        <span
          aria-hidden="true"
          className="size-2 rounded-full bg-info motion-safe:animate-pulse"
        />
      )}
      {children}
    </p>
  );
}
