import { WEBHOOK_FAILING_HOURS_MAX } from '@zhiber/contract/api/events.ts';
import { WEBHOOK_COUNTED_MAX, type Webhook } from '@zhiber/contract/cabinet/webhooks.ts';
import { useState } from 'react';
import { useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Time } from '../ui/display/time.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { TryErrorText } from './webhook-state.tsx';

const CHANGED = ['webhooks', 'webhook', 'webhookDeliveries'] as const;

/** What needs attention: failures, an endpoint that is off, and the way back. */
export function WebhookNotices({ row }: { row: Webhook }) {
  return (
    <>
      {row.state === 'failing' && <FailingNotice row={row} />}
      {row.off_reason !== null && <OffNotice row={row} reason={row.off_reason} />}
      {row.previous_until !== null && <RotationNotice until={row.previous_until} />}
    </>
  );
}

function FailingNotice({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const countText = useCountText();
  return (
    <div className="grid gap-1 rounded-card bg-warn-tint px-4 py-3 text-table text-warn">
      <p className="font-medium">
        {row.failing_since !== null && (
          <>
            {texts.failingSince} <Time at={row.failing_since} as="timeToMinute" />.{' '}
          </>
        )}
        {row.last_error !== null && <TryErrorText {...row.last_error} />}
      </p>
      <p>
        {texts.failingNote(WEBHOOK_FAILING_HOURS_MAX)}{' '}
        {row.waiting > 0 && `${texts.waiting(row.waiting, countText(row.waiting))}.`}
      </p>
    </div>
  );
}

function OffNotice(props: { row: Webhook; reason: NonNullable<Webhook['off_reason']> }) {
  const { row, reason } = props;
  const texts = useWebhookTexts();
  const countText = useCountText();
  const { showToast } = useToasts();
  const canChange = useRight('webhooks.change');
  const turnOn = useAction('switchWebhook', { invalidates: CHANGED });
  const start = (catchUp: boolean) =>
    turnOn.mutate(
      { params: { id: row.id }, body: { is_on: true, catch_up: catchUp } },
      {
        onSuccess: ({ replayed }) =>
          showToast(replayed === 0 ? texts.isOn : texts.caughtUp(replayed, countText(replayed))),
      },
    );
  const hasMissed = row.missed > 0;
  return (
    <div
      className={classes(
        'grid gap-2 rounded-card px-4 py-3 text-table',
        reason === 'person' ? 'bg-sunken text-muted' : 'bg-bad-tint text-bad',
      )}
    >
      <p className="font-medium">
        {texts.offReasons[reason]}{' '}
        {row.off_at !== null && (
          <>
            {texts.offAt} <Time at={row.off_at} as="timeToMinute" />.
          </>
        )}
      </p>
      {hasMissed && <p>{texts.missed(row.missed, countText(row.missed))}.</p>}
      {canChange && (
        <div className="flex flex-wrap gap-2">
          {hasMissed && (
            <Button look="primary" isBusy={turnOn.isPending} onClick={() => start(true)}>
              {texts.turnOnAndCatchUp}
            </Button>
          )}
          <Button
            look={hasMissed ? 'plain' : 'primary'}
            isBusy={turnOn.isPending}
            onClick={() => start(false)}
          >
            {texts.turnOn}
          </Button>
        </div>
      )}
      {turnOn.error !== null && <ErrorCard error={turnOn.error} />}
    </div>
  );
}

function RotationNotice({ until }: { until: string }) {
  const texts = useWebhookTexts();
  return (
    <p className="rounded-card bg-info-tint px-4 py-3 text-table text-info">
      {texts.bothUntil} <Time at={until} as="timeToMinute" />
    </p>
  );
}

/** Turns an endpoint off, after a question. */
export function TurnOffButton({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const turnOff = useAction('switchWebhook', { invalidates: CHANGED });
  const confirm = () =>
    turnOff.mutate(
      { params: { id: row.id }, body: { is_on: false } },
      {
        onSuccess: () => {
          showToast(texts.isOff);
          setAsking(false);
        },
      },
    );
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.turnOff}</Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.turnOffTitle}
          action={texts.turnOff}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
          state={turnOff}
        >
          <p className="text-table">{texts.turnOffNote}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

/** A count as the server gives it: beyond a bound it is "more than". */
export function useCountText(): (count: number) => string {
  const texts = useWebhookTexts();
  const format = useFormat();
  return (count) =>
    count > WEBHOOK_COUNTED_MAX
      ? texts.moreThan(format.number(WEBHOOK_COUNTED_MAX))
      : format.number(count);
}
