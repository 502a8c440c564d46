import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCompany, useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { AnchorButton, LinkButton } from '../ui/controls/link-button.tsx';
import { Card } from '../ui/display/card.tsx';
import type { Overview } from './overview-page.tsx';
import { useDismissed } from './use-dismissed.ts';

type StepName = keyof Overview['steps'];
const ORDER: readonly StepName[] = [
  'has_test_send',
  'has_verified',
  'has_live_key',
  'has_live_send',
  'has_colleague',
];

/** The way from nothing to real messages; it goes away by itself when it is walked. */
export function FirstSteps({ steps }: { steps: Overview['steps'] }) {
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

/** Where the step is made; nothing for a role that may not. */
function StepAction({ name, look }: { name: StepName; look: 'primary' | 'plain' }): ReactNode {
  const { steps } = useTexts().overview;
  const mayTry = useRight('playground.use');
  const mayMakeKeys = useRight('keys.change');
  const mayInvite = useRight('team.change');
  const { action } = steps[name];
  const actions: Record<StepName, ReactNode> = {
    has_test_send: mayTry && (
      <LinkButton look={look} to="/app/playground">
        {action}
      </LinkButton>
    ),
    has_verified: mayTry && (
      <LinkButton look={look} to="/app/playground">
        {action}
      </LinkButton>
    ),
    has_live_key: mayMakeKeys && (
      <LinkButton look={look} to="/app/keys">
        {action}
      </LinkButton>
    ),
    has_live_send: (
      <AnchorButton look={look} href="/api/openapi.json">
        {action}
      </AnchorButton>
    ),
    has_colleague: mayInvite && (
      <LinkButton look={look} to="/app/team">
        {action}
      </LinkButton>
    ),
  };
  return actions[name];
}
