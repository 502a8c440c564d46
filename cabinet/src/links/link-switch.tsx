import { Power } from 'lucide-react';
import type { Answer } from '../call.ts';
import { useAction } from '../queries.ts';
import { ErrorText } from '../texts/error-text.tsx';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

const OUTDATED = ['link', 'links'] as const;

/** Turns a link off and on again. It can be undone at once, so nobody is asked twice. */
export function LinkSwitch({ link }: { link: Answer<'link'> }) {
  const texts = useTexts().links;
  const { say } = useToasts();
  const disable = useAction('disableLink', { outdates: OUTDATED });
  const enable = useAction('enableLink', { outdates: OUTDATED });
  const turn = (isOn: boolean) =>
    (isOn ? enable : disable).mutate(
      { params: { slug: link.slug } },
      {
        onSuccess: () => say(isOn ? texts.enabled : texts.disabled, { undo: () => turn(!isOn) }),
      },
    );
  const isOff = link.state === 'disabled';
  const error = disable.error ?? enable.error;
  return (
    <>
      <Button
        look={isOff ? 'plain' : 'danger'}
        icon={<Power aria-hidden="true" size={16} />}
        isBusy={disable.isPending || enable.isPending}
        onClick={() => turn(isOff)}
      >
        {isOff ? texts.enable : texts.disable}
      </Button>
      {error !== null && <Refusal error={error} />}
    </>
  );
}

function Refusal({ error }: { error: Error }) {
  return (
    <p role="alert" className="w-full text-sm text-bad">
      <ErrorText error={error} />
    </p>
  );
}
