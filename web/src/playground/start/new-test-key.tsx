import type { Answer } from '../../call.ts';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useOnboardingTexts } from '../../texts/use-onboarding-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';

/** One press makes a test key with the settings of the company. */
export function NewTestKey(props: {
  onMade: (made: Answer<'createKey'>) => void;
  look: 'primary' | 'plain';
}) {
  const texts = useOnboardingTexts();
  const canCreate = useRight('keys.change');
  const create = useAction('createKey', { invalidates: ['keys'], isSecret: true });
  if (!canCreate) return null;
  const body = { name: texts.keyName, mode: 'test' } as const;
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look={props.look}
        isBusy={create.isPending}
        onClick={() => create.mutate({ body }, { onSuccess: props.onMade })}
      >
        {texts.newKey}
      </Button>
      {create.error !== null && <ErrorCard error={create.error} />}
    </div>
  );
}
