import { WEBHOOK_OVERLAP_HOURS } from '@zhiber/contract/api/events.ts';
import { type ReactNode, useEffect } from 'react';
import { useAction } from '../queries.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { WebhookCheck } from './webhook-check.tsx';

type Secret = { secret: string; previous_until: string | null };

/** The secret of an endpoint, asked for while the dialog is open. It is never in a cache. */
export function SecretDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const texts = useWebhookTexts();
  const { mutate, data, error } = useAction('webhookSecret', { isSecret: true });
  useEffect(() => mutate({ params: { id } }), [mutate, id]);
  return (
    <ShownSecret title={texts.secretTitle} secret={data} onClose={onClose}>
      {error === null ? <SkeletonCard lines={2} /> : <Failure error={error} />}
    </ShownSecret>
  );
}

/** Gives an endpoint a new secret, and shows it. */
export function RotateSecretDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const texts = useWebhookTexts();
  const rotate = useAction('rotateWebhookSecret', {
    invalidates: ['webhooks', 'webhook'],
    isSecret: true,
  });
  if (rotate.data !== undefined) {
    return <ShownSecret title={texts.rotated} secret={rotate.data} onClose={onClose} />;
  }
  return (
    <ActDialog
      title={texts.rotateTitle}
      action={texts.rotate}
      state={rotate}
      onSubmit={() => rotate.mutate({ params: { id } })}
      onClose={onClose}
    >
      <p className="text-table">{texts.rotateNote(WEBHOOK_OVERLAP_HOURS)}</p>
    </ActDialog>
  );
}

/** `children` are shown until there is a secret. */
export function ShownSecret(props: {
  title: ReactNode;
  secret: Secret | undefined;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { title, secret, onClose, children } = props;
  const texts = useWebhookTexts();
  return (
    <Dialog title={title} size="large" onClose={onClose}>
      {secret === undefined ? (
        children
      ) : (
        <div className="grid gap-4">
          <TextField
            name="secret"
            label={texts.secret}
            hint={texts.secretNote}
            value={secret.secret}
            readOnly
            isMono
            autoComplete="off"
            spellCheck={false}
            translate="no"
          />
          {secret.previous_until !== null && (
            <p className="text-table text-muted">
              {texts.bothUntil} <Time at={secret.previous_until} as="timeToMinute" />
            </p>
          )}
          <WebhookCheck />
          <FormActions>
            <CopyButton look="primary" text={secret.secret} label={texts.copySecret} />
            <Button onClick={onClose}>{texts.done}</Button>
          </FormActions>
        </div>
      )}
    </Dialog>
  );
}
