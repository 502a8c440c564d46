import { useQuery } from '@tanstack/react-query';
import { NOTE_LENGTH_MAX } from '@zhiber/contract/admin/payment-words.ts';
import type { DeskPayment } from '@zhiber/contract/admin/payments.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { useDebounced } from '../../ui/controls/debounced.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Facts } from '../../ui/display/card.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type DeskAnswer, queryOf, useAction } from '../call.ts';

/** A refund, with what it takes before it is made. */
export function RefundForm(props: {
  payment: DeskPayment;
  isByProvider: boolean;
  onClose: () => void;
}) {
  const { payment, isByProvider, onClose } = props;
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { showToast } = useToasts();
  const left = payment.amount - payment.refunded;
  const [typed, setTyped] = useState(String(left));
  const amount = Number(typed);
  const isAmount = Number.isInteger(amount) && amount >= 1 && amount <= left;
  const asked = useDebounced(amount);
  const preview = useQuery({
    ...queryOf('previewRefund', { params: { id: payment.id }, query: { amount: asked } }),
    enabled: isAmount && asked >= 1 && asked <= left,
  });
  const refund = useAction('refundPayment', {
    invalidates: ['paymentQueue', 'payments', 'payment', 'overview'],
  });
  return (
    <ActDialog
      title={texts.refundTitle(payment.receipt_number)}
      action={texts.refundAction(format.money(isAmount ? amount : 0))}
      isDangerous
      isDisabled={!isAmount}
      state={refund}
      onSubmit={(values) =>
        refund.mutate(
          {
            params: { id: payment.id },
            body: { amount, reason: values.text('reason'), refunded: payment.refunded },
          },
          {
            onSuccess: () => {
              showToast(texts.refundAsked);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextField
        name="amount"
        label={texts.refundAmount}
        hint={texts.refundLeft(format.money(left))}
        error={amount > left ? texts.tooMuch : undefined}
        type="number"
        min={1}
        max={left}
        step={1}
        required
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {isAmount && preview.data !== undefined && asked === amount && (
        <Preview amount={amount} preview={preview.data} isByProvider={isByProvider} />
      )}
      <TextField
        name="reason"
        label={texts.refundReason}
        hint={texts.refundReasonHint}
        required
        maxLength={NOTE_LENGTH_MAX}
        autoComplete="off"
      />
    </ActDialog>
  );
}

function Preview(props: {
  amount: number;
  preview: DeskAnswer<'previewRefund'>;
  isByProvider: boolean;
}) {
  const { amount, preview, isByProvider } = props;
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { taken, bonus, owed } = preview;
  return (
    <div className="grid gap-2 rounded-control bg-sunken p-3 text-table">
      <Facts
        rows={[
          [texts.willSend, format.money(amount)],
          [texts.willTake, format.money(taken)],
          ...(bonus > 0 ? ([[texts.willTakeBonus, format.money(bonus)]] as const) : []),
          ...(owed > 0
            ? ([
                [
                  texts.willOwe,
                  <strong key="owed" className="text-bad">
                    {format.money(owed)}
                  </strong>,
                ],
              ] as const)
            : []),
        ]}
      />
      {owed > 0 && <p className="text-bad">{texts.willOweNote}</p>}
      <p className="text-muted">{isByProvider ? texts.byProvider : texts.byHand}</p>
    </div>
  );
}
