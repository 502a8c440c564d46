import { NOTE_LENGTH_MAX } from '@zhiber/contract/admin/payment-words.ts';
import type { DeskRefund } from '@zhiber/contract/admin/payments.ts';
import { Ban, Check, CircleAlert, Hourglass, RefreshCw, X } from 'lucide-react';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { MenuButton } from '../../ui/overlays/menu.tsx';
import { RowMenu } from '../../ui/overlays/row-menu.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { useAction } from '../call.ts';
import { RowActions } from '../row-actions.tsx';

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
  if (!refund.is_stuck) return null;
  return (
    <>
      <RowActions error={retry.error}>
        <Button onClick={() => setSettling('done')}>{texts.settleDone}</Button>
        <RowMenu label={texts.actionsFor(`№ ${refund.receipt_number}`)}>
          {refund.can_ask && (
            <MenuButton
              icon={<RefreshCw aria-hidden="true" size={16} />}
              onClick={() =>
                retry.mutate(
                  { params: { id: refund.id } },
                  { onSuccess: () => showToast(texts.retried) },
                )
              }
            >
              {texts.retry}
            </MenuButton>
          )}
          <MenuButton
            icon={<Ban aria-hidden="true" size={16} />}
            className="text-bad"
            onClick={() => setSettling('refused')}
          >
            {texts.settleRefused}
          </MenuButton>
        </RowMenu>
      </RowActions>
      {settling !== undefined && (
        <SettleRefund refund={refund} result={settling} onClose={() => setSettling(undefined)} />
      )}
    </>
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
