import { useEffect, useEffectEvent } from 'react';
import { invalidate, SIGN_IN_QUERIES, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { CodeField } from '../ui/controls/text-field.tsx';
import { Code } from '../ui/display/code-block.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Qr } from '../ui/display/qr.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

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
          <Secret {...start.data} />
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

function Secret({ secret, uri }: { secret: string; uri: string }) {
  const texts = useTexts().profile;
  // Groups of four are easier to read out and to type.
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <div className="flex flex-wrap items-center gap-5">
      <Qr text={uri} label={texts.secondQr} size={168} />
      <div className="grid min-w-0 grow basis-52 gap-2 text-table">
        <p>{texts.scan}</p>
        <p className="text-sm text-muted">{texts.orType}</p>
        <p className="flex items-center gap-1">
          <Code>{spaced}</Code>
          <CopyButton isIcon text={secret} label={texts.copySecret} />
        </p>
      </div>
    </div>
  );
}

function AppCodeField() {
  const { appCode } = useTexts().profile;
  return (
    <CodeField label={appCode} pattern="[0-9 ]{6,7}" className="max-w-40 text-xl tracking-widest" />
  );
}
