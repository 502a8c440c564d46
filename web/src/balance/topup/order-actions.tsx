import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import type { Topup } from './use-topup.ts';

/** "I have paid". */
export function ClaimButton(props: { id: string; look?: 'primary' | 'plain' }) {
  const texts = useTexts().topup;
  const claim = useAction('claimTopup', { invalidates: ['topup', 'topups'] });
  if (!useRight('balance.topup')) return null;
  return (
    <>
      <Button
        look={props.look ?? 'primary'}
        isBusy={claim.isPending}
        onClick={() => claim.mutate({ params: { id: props.id } })}
      >
        {texts.claim}
      </Button>
      <Refusal error={claim.error} />
    </>
  );
}

export function CancelButton({ id }: { id: string }) {
  const texts = useTexts().topup;
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const cancel = useAction('cancelTopup', { invalidates: ['topup', 'topups'] });
  const close = () => {
    setAsking(false);
    cancel.reset();
  };
  const confirm = () =>
    cancel.mutate({ params: { id } }, { onSuccess: () => showToast(texts.cancelled) });
  if (!useRight('balance.topup')) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {texts.cancel}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.cancelTitle}
          action={texts.cancelAction}
          state={cancel}
          onConfirm={confirm}
          onClose={close}
        >
          <p>{texts.cancelNote}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** The same amount once more. */
export function AgainButton(props: { order: Topup; label: string; isMain?: boolean }) {
  const { amount, provider } = props.order;
  if (!useRight('balance.topup')) return null;
  return (
    <LinkButton
      to="/app/balance/topup"
      search={{ amount: String(amount), provider }}
      look={props.isMain === true ? 'primary' : 'plain'}
    >
      {props.label}
    </LinkButton>
  );
}
