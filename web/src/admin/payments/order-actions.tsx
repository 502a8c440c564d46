import {
  BANK_REFERENCE_LENGTH_MAX,
  NOTE_LENGTH_MAX,
  PAID_AMOUNT_MAX,
} from '@zhiber/contract/admin/payment-words.ts';
import type { DeskOrder } from '@zhiber/contract/admin/payments.ts';
import { Ban, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { fromAlmatyInput, toAlmatyInput } from '../../design/format/almaty-input.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { MenuButton } from '../../ui/overlays/menu.tsx';
import { RowMenu } from '../../ui/overlays/row-menu.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { useAction } from '../call.ts';
import { RowActions } from '../row-actions.tsx';

const CHANGED = ['paymentQueue', 'paymentOrders', 'payments', 'overview'] as const;

/** What an operator can do about an order that is not paid yet. */
export function OrderActions({ order }: { order: DeskOrder }) {
  const texts = useAdminTexts().payments;
  const { showToast } = useToasts();
  const [isOpen, setOpen] = useState<'confirm' | 'close'>();
  const ask = useAction('askAboutOrder', { invalidates: CHANGED });
  const close = () => setOpen(undefined);
  const askBank = () =>
    ask.mutate(
      { params: { id: order.id } },
      { onSuccess: ({ state }) => showToast(texts.asked[state]) },
    );
  const canClose = order.state === 'manual';
  return (
    <>
      <RowActions error={ask.error}>
        <Button onClick={() => setOpen('confirm')}>{texts.confirm}</Button>
        {(order.can_ask || canClose) && (
          <RowMenu label={texts.actionsFor(order.reference)}>
            {order.can_ask && (
              <MenuButton icon={<RefreshCw aria-hidden="true" size={16} />} onClick={askBank}>
                {texts.ask}
              </MenuButton>
            )}
            {canClose && (
              <MenuButton
                icon={<Ban aria-hidden="true" size={16} />}
                className="text-bad"
                onClick={() => setOpen('close')}
              >
                {texts.close}
              </MenuButton>
            )}
          </RowMenu>
        )}
      </RowActions>
      {isOpen === 'confirm' && <ConfirmOrder order={order} onClose={close} />}
      {isOpen === 'close' && <CloseOrder order={order} onClose={close} />}
    </>
  );
}

function ConfirmOrder({ order, onClose }: { order: DeskOrder; onClose: () => void }) {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { showToast } = useToasts();
  const confirm = useAction('confirmOrder', { invalidates: CHANGED });
  const [typed, setTyped] = useState(String(order.amount));
  const amount = Number(typed);
  const isOther = amount > 0 && amount !== order.amount;
  const used = confirm.data?.result === 'used' ? confirm.data.reference : undefined;
  return (
    <ActDialog
      title={texts.confirmTitle(order.reference)}
      action={texts.credit(format.money(amount > 0 ? amount : 0))}
      state={confirm}
      onSubmit={(values) =>
        confirm.mutate(
          {
            params: { id: order.id },
            body: {
              amount,
              paid_at: fromAlmatyInput(values.text('paid_at')) ?? '',
              bank_reference: values.text('bank_reference'),
              payments: order.payments,
            },
          },
          {
            onSuccess: ({ result, amount: credited, receipt_number: receipt }) => {
              if (result === 'used' || receipt === null) return;
              showToast(
                result === 'already'
                  ? texts.alreadyCredited(receipt)
                  : texts.credited(format.money(credited ?? 0), receipt),
              );
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{texts.confirmLead(order.company.name, format.money(order.amount))}</p>
      {order.payments > 0 && (
        <p className="rounded-control bg-warn-tint p-3 text-table text-warn">
          {texts.confirmAgain(order.payments, format.money(order.paid))}
        </p>
      )}
      <TextField
        name="amount"
        label={texts.paidAmount}
        type="number"
        min={1}
        max={PAID_AMOUNT_MAX}
        step={1}
        required
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        hint={isOther ? texts.otherAmount(format.money(order.amount)) : undefined}
      />
      <TextField
        name="paid_at"
        label={texts.paidAt}
        type="datetime-local"
        required
        defaultValue={toAlmatyInput(Date.now())}
      />
      <TextField
        name="bank_reference"
        label={texts.bankReference}
        hint={texts.bankReferenceHint}
        error={used == null ? undefined : texts.documentUsed(used)}
        required
        autoComplete="off"
        maxLength={BANK_REFERENCE_LENGTH_MAX}
      />
    </ActDialog>
  );
}

function CloseOrder({ order, onClose }: { order: DeskOrder; onClose: () => void }) {
  const texts = useAdminTexts().payments;
  const { showToast } = useToasts();
  const closing = useAction('closeOrder', { invalidates: CHANGED });
  return (
    <ActDialog
      title={texts.closeTitle(order.reference)}
      action={texts.close}
      isDangerous
      state={closing}
      onSubmit={(values) =>
        closing.mutate(
          { params: { id: order.id }, body: { reason: values.text('reason') } },
          {
            onSuccess: () => {
              showToast(texts.closed);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    >
      <p>{texts.closeNote}</p>
      <TextField
        name="reason"
        label={texts.closeReason}
        required
        maxLength={NOTE_LENGTH_MAX}
        autoComplete="off"
      />
    </ActDialog>
  );
}
