import { useEffect, useEffectEvent } from 'react';
import { invalidate, SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { AppCodeField, AppSecret } from '../ui/identity/app-secret.tsx';
import { RecoveryCodes } from '../ui/identity/recovery-codes.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/** Setup in steps: the secret for the app, a first code, then the recovery codes, shown once. */
export function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  const texts = useTexts().profile;
  const start = useAction('startSecondFactor', { isSecret: true });
  const confirm = useAction('confirmSecondFactor', { isSecret: true });
  const begin = useEffectEvent(() => start.mutate({}));
  useEffect(() => begin(), []);
  const close = () => {
    start.reset();
    confirm.reset();
    // Not earlier: the card would unmount the dialog before the codes have been read.
    invalidate(SIGN_IN_QUERIES);
    onClose();
  };
  const codes = confirm.data?.recovery_codes;
  if (codes !== undefined) {
    return (
      <Dialog title={texts.recoveryTitle} onClose={close} canClose={false}>
        <RecoveryCodes codes={codes} onDone={close} />
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.startSecond} onClose={close}>
      {start.error !== null && <ErrorCard error={start.error} onRetry={() => start.mutate({})} />}
      {start.error === null && start.data === undefined && <SkeletonCard lines={5} />}
      {start.data !== undefined && (
        <Form
          error={confirm.error}
          onSubmit={(values) => confirm.mutate({ body: { code: values.text('code') } })}
        >
          <AppSecret {...start.data} />
          <AppCodeField />
          <FormActions>
            <Button type="submit" look="primary" isBusy={confirm.isPending}>
              {texts.connect}
            </Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  );
}
