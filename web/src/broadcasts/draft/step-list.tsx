import { Link } from '@tanstack/react-router';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { Check } from 'lucide-react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { classes } from '../../ui/classes.ts';
import { isDone, numberOf, STEPS, type Step } from './steps.ts';

/** The steps in their order; each has an address. On a small screen only the open one is named. */
export function StepList({ broadcast, current }: { broadcast: Broadcast; current: Step }) {
  const texts = useBroadcastTexts();
  return (
    <nav aria-label={texts.stepsLabel}>
      <ol className="flex gap-1 max-sm:gap-0 sm:flex-wrap">
        {STEPS.map((step) => {
          const isOpen = step === current;
          const isComplete = isDone(step, broadcast);
          return (
            <li key={step} className={isOpen ? 'min-w-0' : undefined}>
              <Link
                to="."
                search={{ step: numberOf(step) }}
                aria-current={isOpen ? 'step' : undefined}
                className={classes(
                  'target inline-flex max-w-full items-center gap-2 rounded-control px-2.5 text-table hover:bg-sunken max-sm:px-1.5',
                  isOpen ? 'bg-sunken font-medium' : 'text-muted',
                )}
              >
                <span
                  aria-hidden="true"
                  className={classes(
                    'inline-grid size-6 shrink-0 place-items-center rounded-full border text-sm',
                    isOpen
                      ? 'border-transparent bg-brand text-on-brand'
                      : isComplete
                        ? 'border-transparent bg-ok-tint text-ok'
                        : 'border-border',
                  )}
                >
                  {isComplete && !isOpen ? <Check size={14} /> : numberOf(step)}
                </span>
                <span className={isOpen ? 'max-sm:truncate' : 'max-sm:sr-only'}>
                  {texts.steps[step]}
                </span>
                {isComplete && <span className="sr-only"> ({texts.stepDone})</span>}
              </Link>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
