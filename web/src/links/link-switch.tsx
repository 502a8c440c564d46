import { Power } from 'lucide-react';
import type { Answer } from '../call.ts';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

const INVALIDATED = ['link', 'links'] as const;

/** Switches a link off and on. It can be undone at once, so there is no confirmation. */
export function LinkSwitch({ link }: { link: Answer<'link'> }) {
  const texts = useTexts().links;
  const { showToast } = useToasts();
  const disable = useAction('disableLink', { invalidates: INVALIDATED });
  const enable = useAction('enableLink', { invalidates: INVALIDATED });
  const toggle = (isOn: boolean) =>
    (isOn ? enable : disable).mutate(
      { params: { slug: link.slug } },
      {
        onSuccess: () =>
          showToast(isOn ? texts.enabled : texts.disabled, { undo: () => toggle(!isOn) }),
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
        onClick={() => toggle(isOff)}
      >
        {isOff ? texts.enable : texts.disable}
      </Button>
      <Refusal error={error} />
    </>
  );
}
