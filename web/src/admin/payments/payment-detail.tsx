import { useQuery } from '@tanstack/react-query';
import type { DeskRefund } from '@zhiber/contract/admin/payments.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { BackLink } from '../back-link.tsx';
import { type DeskAnswer, queryOf } from '../call.ts';
import { CompanyLink } from '../company-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { Flags, ONE_LINE, Payer } from './payment-cells.tsx';
import { RefundActions, RefundChip } from './refund-actions.tsx';
import { RefundForm } from './refund-form.tsx';

const REFRESH_MS = 3_000;

/** One payment with its refunds. */
export function PaymentDetail({ id }: { id: string }) {
  const { frame } = useAdminTexts();
  const { data, error, refetch } = useQuery({
    ...queryOf('payment', { params: { id } }),
    // While the bank is asked the answer can come at any moment.
    refetchInterval: ({ state }) =>
      state.data?.refunds.some(({ state: is, is_stuck: isStuck }) => is === 'asked' && !isStuck)
        ? REFRESH_MS
        : false,
  });
  if (error !== null || data === undefined) {
    return (
      <Page title={frame.sections.payments}>
        {error === null ? <SkeletonCard /> : <Failure error={error} onRetry={refetch} />}
      </Page>
    );
  }
  return <Detail answer={data} />;
}

function Detail({ answer }: { answer: DeskAnswer<'payment'> }) {
  const { payment, refunds, is_refunded_by_provider: isByProvider } = answer;
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  const format = useFormat();
  const [isRefunding, setRefunding] = useState(false);
  return (
    <Page
      title={texts.detail(payment.receipt_number)}
      back={<BackLink to={['payments', 'list']}>{texts.toList}</BackLink>}
      actions={
        payment.refunded < payment.amount && (
          <Button look="danger" onClick={() => setRefunding(true)}>
            {texts.refund}
          </Button>
        )
      }
    >
      <Card>
        <Facts
          rows={[
            [columns.amount, <strong key="amount">{format.money(payment.amount)}</strong>],
            ...(payment.asked !== null && payment.asked !== payment.amount
              ? ([[texts.askedAmount, format.money(payment.asked)]] as const)
              : []),
            [columns.bonus, payment.bonus === 0 ? '—' : format.money(payment.bonus)],
            [columns.refunded, payment.refunded === 0 ? '—' : format.money(payment.refunded)],
            [columns.company, <CompanyLink key="company" company={payment.company} />],
            [columns.payer, <Payer key="payer" row={payment} />],
            [columns.provider, providers[payment.provider]],
            [
              columns.order,
              <span key="order" className="font-mono text-sm">
                {payment.reference ?? '—'}
              </span>,
            ],
            [
              columns.document,
              <code key="document" className="font-mono text-sm break-all">
                {payment.provider_payment_id}
              </code>,
            ],
            [texts.paidOn, <Time key="paid" at={payment.paid_at} />],
            [columns.credited, <Time key="credited" at={payment.credited_at} />],
            [columns.flags, <Flags key="flags" flags={payment.flags} />],
          ]}
        />
      </Card>
      <Refunds refunds={refunds} />
      {isRefunding && (
        <RefundForm
          payment={payment}
          isByProvider={isByProvider}
          onClose={() => setRefunding(false)}
        />
      )}
    </Page>
  );
}

function Refunds({ refunds }: { refunds: DeskRefund[] }) {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const format = useFormat();
  if (refunds.length === 0) return null;
  return (
    <DeskSection title={texts.refunds}>
      <DataTable
        caption={texts.refunds}
        rows={refunds}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          {
            id: 'date',
            title: columns.date,
            cell: ({ asked_at: at }) => <Time at={at} as="timeToMinute" />,
          },
          {
            id: 'amount',
            title: columns.amount,
            isNumber: true,
            cell: ({ amount, taken, owed }) => (
              <span>
                {format.money(amount)}
                <span className="block text-sm text-muted">
                  {texts.taken(format.money(taken))}
                  {owed > 0 && (
                    <span className="block text-bad">{texts.owed(format.money(owed))}</span>
                  )}
                </span>
              </span>
            ),
          },
          {
            id: 'reason',
            title: columns.reason,
            cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
          },
          { id: 'by', title: texts.askedBy, cell: ({ asked_by: by }) => by ?? texts.byBank },
          {
            id: 'state',
            title: columns.state,
            cell: (refund) => <RefundChip refund={refund} />,
            className: ONE_LINE,
          },
          {
            id: 'actions',
            title: columns.actions,
            isTitleHidden: true,
            onCard: 'plain',
            cell: (refund) => <RefundActions refund={refund} />,
          },
        ]}
      />
    </DeskSection>
  );
}
