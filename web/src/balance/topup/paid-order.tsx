import type { TopupPayment } from '@zhiber/contract/cabinet/topups.ts';
import { CircleAlert, CircleCheck, FileText, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { AnchorButton } from '../../ui/controls/anchor-button.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { receiptNumber } from '../../ui/display/receipt-number.ts';
import { Time } from '../../ui/display/time.tsx';
import { AgainButton } from './order-actions.tsx';
import type { Topup } from './use-topup.ts';

/** The tick, what was credited, and the receipt. An order can be paid more than once. */
export function PaidOrder({ order }: { order: Topup }) {
  const texts = useTexts().topup;
  const format = useFormat();
  const isRefunded = order.payments.every(({ amount, refunded }) => refunded === amount);
  const credited = order.payments.reduce((sum, { amount, bonus }) => sum + amount + bonus, 0);
  return (
    <Card>
      <div className="grid gap-5">
        <div className="appear grid justify-items-center gap-1 text-center">
          {isRefunded ? (
            <>
              <Undo2 aria-hidden="true" size={48} className="text-muted" />
              <h2 className="text-xl">{texts.refundedTitle}</h2>
            </>
          ) : (
            <>
              <CircleCheck aria-hidden="true" size={48} className="text-ok" />
              <h2 className="text-xl">{texts.paidTitle}</h2>
              <p className="text-2xl font-semibold tracking-tight text-ok">
                +{format.money(credited)}
              </p>
            </>
          )}
          <p className="text-table text-muted">
            {texts.balance}: {format.money(order.balance)}
          </p>
        </div>
        {order.payments.length > 1 && (
          <p className="text-table font-medium">{texts.payments(order.payments.length)}</p>
        )}
        <ul className="grid gap-5">
          {order.payments.map((payment) => (
            <li key={payment.id} className="border-t border-hairline pt-4">
              <PaymentFacts payment={payment} asked={order.amount} />
            </li>
          ))}
        </ul>
        <div>
          <AgainButton order={order} label={texts.again} />
        </div>
      </div>
    </Card>
  );
}

function PaymentFacts({ payment, asked }: { payment: TopupPayment; asked: number }) {
  const texts = useTexts().topup;
  const format = useFormat();
  const { lang } = useLang();
  const { amount, bonus, refunded, debt_paid: debtPaid } = payment;
  const rows: [string, ReactNode][] = [
    [texts.credited, format.money(amount)],
    ...(bonus > 0 ? [[texts.bonusCredited, format.money(bonus)] as [string, ReactNode]] : []),
    ...(debtPaid > 0 ? [[texts.debtPaid, format.money(debtPaid)] as [string, ReactNode]] : []),
    ...(refunded > 0 ? [[texts.refunded, format.money(refunded)] as [string, ReactNode]] : []),
    [texts.paidAt, <Time key="paid" at={payment.paid_at} />],
    [texts.receipt, texts.receiptNumber(receiptNumber(payment.receipt_number))],
  ];
  return (
    <div className="grid gap-3">
      <Facts rows={rows} />
      <Flags payment={payment} asked={asked} />
      <div>
        <AnchorButton
          href={`${payment.receipt_url}?lang=${lang === 'kk' ? 'kk' : 'ru'}`}
          target="_blank"
          icon={<FileText aria-hidden="true" size={16} />}
        >
          {texts.openReceipt}
        </AnchorButton>
      </div>
    </div>
  );
}

/** What was unusual about a payment, in words. */
function Flags({ payment, asked }: { payment: TopupPayment; asked: number }) {
  const { flags } = useTexts().topup;
  const format = useFormat();
  const sentences = [
    payment.is_late && flags.late,
    payment.is_repeated && flags.repeated,
    payment.is_other_amount && flags.otherAmount(format.money(asked), format.money(payment.amount)),
  ].filter((sentence) => sentence !== false);
  return sentences.map((sentence) => (
    <p key={sentence} className="flex gap-2 text-table text-warn">
      <CircleAlert aria-hidden="true" size={17} className="mt-0.5 shrink-0" />
      {sentence}
    </p>
  ));
}
