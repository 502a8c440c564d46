import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { numberOf, STEPS, type Step } from './steps.ts';
import type { Draft } from './use-draft.ts';

export type StepProps = { draft: Draft; goTo: (step: Step) => void };

/** A step with its heading, and the way to the next one. */
export function StepFrame(props: {
  step: Step;
  /** Instead of the plain way on, where a step ends with an action of its own. */
  next?: ReactNode;
  children: ReactNode;
}) {
  const { step, children } = props;
  const texts = useBroadcastTexts();
  const following = STEPS[STEPS.indexOf(step) + 1];
  return (
    <section aria-label={texts.steps[step]} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <h2 tabIndex={-1} className="text-lg outline-none">
          {texts.steps[step]}
        </h2>
        <p className="max-w-prose text-table text-muted">{texts.stepLeads[step]}</p>
      </div>
      {children}
      {props.next !== undefined
        ? props.next
        : following !== undefined && (
            <div>
              <LinkButton
                to="."
                search={{ step: numberOf(following) }}
                look="primary"
                icon={<ArrowRight aria-hidden="true" size={16} />}
              >
                {texts.nextStep(texts.steps[following])}
              </LinkButton>
            </div>
          )}
    </section>
  );
}
