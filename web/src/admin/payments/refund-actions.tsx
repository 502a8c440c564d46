import { NOTE_LENGTH_MAX } from '@zhiber/contract/admin/payment-words.ts';
import type { DeskRefund } from '@zhiber/contract/admin/payments.ts';
import { Check, CircleAlert, Hourglass, X } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { useAction } from '../call.ts';

const CHANGED = ['paymentQueue', 'payments', 'payment', 'overview'] as const;

const LOOKS = {
  asked: { tone: 'info', icon: Hourglass },
  done: { tone: 'ok', icon: Check },
  refused: { tone: 'bad', icon: X },
} as const;

export function RefundChip({ refund }: { refund: DeskRefund }) {
  const texts = useAdminTexts().payments;
  if (refund.is_stuck) {
    return (
      <Chip tone="warn" icon={CircleAlert}>
        {texts.stuck}
      </Chip>
    );
  }
  return <Chip {...LOOKS[refund.state]}>{texts.refundStates[refund.state]}</Chip>;
}

/** For a refund that no provider is making: people have sent the money, or cannot. */
export function RefundActions({ refund }: { refund: DeskRefund }) {
  const texts = useAdminTexts().payments;
  const { showToast } = useToasts();
  const [settling, setSettling] = useState<'done' | 'refused'>();
  const retry = useAction('retryRefund', { invalidates: CHANGED });
  if (!refund.is_stuck) return <span className="text-faint">—</span>;
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setSettling('done')}>{texts.settleDone}</Button>
      {refund.can_ask && (
        <Button
          isBusy={retry.isPending}
          onClick={() =>
            retry.mutate(
              { params: { id: refund.id } },
              { onSuccess: () => showToast(texts.retried) },
            )
          }
        >
          {texts.retry}
        </Button>
      )}
      <Button look="quiet" onClick={() => setSettling('refused')}>
        {texts.settleRefused}
      </Button>
      <Refusal error={retry.error} />
      {settling !== undefined && (
        <SettleRefund refund={refund} result={settling} onClose={() => setSettling(undefined)} />
      )}
    </div>
  );
}

function SettleRefund(props: {
  refund: DeskRefund;
  result: 'done' | 'refused';
  onClose: () => void;
}) {
  const { refund, result, onClose } = props;
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { showToast } = useToasts();
  const settle = useAction('settleRefund', { invalidates: CHANGED });
  const isDone = result === 'done';
  const money = format.money(refund.amount);
  return (
    <ActDialog
      title={isDone ? texts.settleDoneTitle(money) : texts.settleRefusedTitle(money)}
      action={isDone ? texts.settleDone : texts.settleRefused}
      isDangerous={!isDone}
      state={settle}
      onSubmit={(values) =>
        settle.mutate(
          { params: { id: refund.id }, body: { result, note: values.text('note') } },
          {
            onSuccess: () => {
              showToast(texts.settled);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{isDone ? texts.settleDoneNote : texts.settleRefusedNote}</p>
      <TextField
        name="note"
        label={isDone ? texts.settleDocument : texts.settleReason}
        required
        maxLength={NOTE_LENGTH_MAX}
        autoComplete="off"
      />
    </ActDialog>
  );
}
