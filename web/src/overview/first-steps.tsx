import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../call.ts';
import { useCompany, useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { AnchorButton } from '../ui/controls/anchor-button.tsx';
import { Button } from '../ui/controls/button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Card } from '../ui/display/card.tsx';
import { useDismissed } from './use-dismissed.ts';

type StepName = keyof Answer<'overview'>['steps'];
const ORDER: readonly StepName[] = [
  'has_test_send',
  'has_verified',
  'has_live_key',
  'has_live_send',
  'has_colleague',
];

/** The onboarding checklist; it disappears when every step is done. */
export function FirstSteps({ steps }: { steps: Answer<'overview'>['steps'] }) {
  const texts = useTexts().overview;
  const { id } = useCompany();
  const [isDismissed, dismiss] = useDismissed(`first-steps-${id}`);
  const next = ORDER.find((name) => !steps[name]);
  if (isDismissed || next === undefined) return null;
  const done = ORDER.filter((name) => steps[name]).length;
  return (
    <Card
      title={texts.stepsTitle}
      aside={
        <span className="flex items-center gap-3 text-sm text-muted">
          {texts.stepsDone(done, ORDER.length)}
          <Button look="quiet" onClick={dismiss}>
            {texts.hideSteps}
          </Button>
        </span>
      }
    >
      <ol className="grid">
        {ORDER.map((name, place) => (
          <Step
            key={name}
            name={name}
            number={place + 1}
            isDone={steps[name]}
            isNext={name === next}
          />
        ))}
      </ol>
    </Card>
  );
}

function Step(props: { name: StepName; number: number; isDone: boolean; isNext: boolean }) {
  const { name, number, isDone, isNext } = props;
  const { steps, stepDone } = useTexts().overview;
  const { title, note } = steps[name];
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 border-t border-hairline py-3 first:border-t-0 sm:grid-cols-[auto_1fr_auto] sm:items-center">
      <span
        className={classes(
          'grid size-6 place-items-center self-start rounded-full text-sm',
          isDone ? 'bg-ok-tint text-ok' : 'border border-border text-muted',
        )}
      >
        {isDone ? <Check aria-hidden="true" size={14} strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0">
        <p className={isDone ? 'text-muted' : 'font-medium'}>
          {title}
          {isDone && <span className="sr-only"> — {stepDone}</span>}
        </p>
        {!isDone && <p className="text-table text-muted">{note}</p>}
      </div>
      {!isDone && (
        <div className="max-sm:col-start-2 max-sm:mt-2">
          <StepAction name={name} look={isNext ? 'primary' : 'plain'} />
        </div>
      )}
    </li>
  );
}

/** A link to where the step is done; nothing for a role without the right. */
function StepAction({ name, look }: { name: StepName; look: 'primary' | 'plain' }): ReactNode {
  const { steps } = useTexts().overview;
  const canTry = useRight('playground.use');
  const canCreateKeys = useRight('keys.change');
  const canInvite = useRight('team.change');
  const { action } = steps[name];
  const actions: Record<StepName, ReactNode> = {
    has_test_send: canTry && (
      <LinkButton look={look} to="/app/start">
        {action}
      </LinkButton>
    ),
    has_verified: canTry && (
      <LinkButton look={look} to="/app/start">
        {action}
      </LinkButton>
    ),
    has_live_key: canCreateKeys && (
      <LinkButton look={look} to="/app/keys">
        {action}
      </LinkButton>
    ),
    has_live_send: (
      <AnchorButton look={look} href="/api/openapi.json">
        {action}
      </AnchorButton>
    ),
    has_colleague: canInvite && (
      <LinkButton look={look} to="/app/team">
        {action}
      </LinkButton>
    ),
  };
  return actions[name];
}
