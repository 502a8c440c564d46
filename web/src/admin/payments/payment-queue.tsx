import { useQuery } from '@tanstack/react-query';
import type {
  DeskFiscalReceipt,
  DeskLine,
  DeskNotice,
  DeskRefund,
} from '@zhiber/contract/admin/payments.ts';
import { CircleAlert } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from '../call.ts';
import { DeskLink } from '../desk-link.tsx';
import { LineActions } from './line-actions.tsx';
import { OrderActions } from './order-actions.tsx';
import { CompanyLink, Payer, useOrderColumns, usePaymentColumns } from './payment-cells.tsx';
import { RefundActions, RefundChip } from './refund-actions.tsx';

/** Two operators work at once, and banks answer: the list is read again every so often. */
const REFRESH_MS = 15_000;

/** Everything about payments that waits for a person, a table for each kind. */
export function PaymentQueue() {
  const texts = useAdminTexts().payments;
  const { data, error, refetch } = useQuery({
    ...queryOf('paymentQueue'),
    refetchInterval: REFRESH_MS,
  });
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonCard />;
  const { orders, lines, refunds, notices, flagged, fiscal } = data;
  if ([orders, lines, refunds, notices, flagged, fiscal].every(({ total }) => total === 0)) {
    return (
      <EmptyState kind="first-use" title={texts.nothingWaits}>
        {texts.nothingWaitsNote}
      </EmptyState>
    );
  }
  return <Tables queue={data} />;
}

function Tables({ queue }: { queue: DeskAnswer<'paymentQueue'> }) {
  const { columns } = useAdminTexts().payments;
  const orderColumns = useOrderColumns();
  const paymentColumns = usePaymentColumns();
  const actions = {
    id: 'actions',
    title: columns.actions,
    isTitleHidden: true,
    onCard: 'plain',
  } as const;
  return (
    <>
      <Waiting
        name="orders"
        queue={queue.orders}
        columns={[...orderColumns, { ...actions, cell: (order) => <OrderActions order={order} /> }]}
      />
      <Waiting
        name="lines"
        queue={queue.lines}
        columns={[...useLineColumns(), { ...actions, cell: (line) => <LineActions line={line} /> }]}
      />
      <Waiting
        name="refunds"
        queue={queue.refunds}
        columns={[
          ...useRefundColumns(),
          { ...actions, cell: (refund) => <RefundActions refund={refund} /> },
        ]}
      />
      <Waiting
        name="notices"
        queue={queue.notices}
        columns={[
          ...useNoticeColumns(),
          { ...actions, cell: ({ id }) => <Seen kind="notice" id={id} /> },
        ]}
      />
      <Waiting
        name="fiscal"
        queue={queue.fiscal}
        columns={[...useFiscalColumns(), { ...actions, cell: ({ id }) => <RetryFiscal id={id} /> }]}
      />
      <Waiting
        name="flagged"
        queue={queue.flagged}
        columns={[
          ...paymentColumns,
          { ...actions, cell: ({ id }) => <Seen kind="payment" id={id} /> },
        ]}
      />
    </>
  );
}

function Waiting<Row extends { id: string }>(props: {
  name: keyof ReturnType<typeof useAdminTexts>['payments']['queue'] &
    ('orders' | 'lines' | 'refunds' | 'notices' | 'flagged' | 'fiscal');
  queue: { rows: Row[]; total: number };
  columns: readonly Column<Row>[];
}) {
  const { name, queue, columns } = props;
  const texts = useAdminTexts().payments;
  const { rows, total } = queue;
  if (total === 0) return null;
  return (
    <section className="grid min-w-0 gap-3">
      <div>
        <h2 className="text-lg">
          {texts.queue[name]} <span className="font-normal text-muted">{total}</span>
        </h2>
        <p className="text-table text-muted">{texts.queue[`${name}Note`]}</p>
      </div>
      <DataTable
        caption={texts.queue[name]}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={null}
      />
      {rows.length < total && (
        <p className="text-sm text-muted">{texts.more(rows.length, total)}</p>
      )}
    </section>
  );
}

/** Takes a row off the list. */
function Seen({ kind, id }: { kind: 'notice' | 'payment'; id: string }) {
  const texts = useAdminTexts().payments;
  const review = useAction('reviewPayment', { invalidates: ['paymentQueue'] });
  return (
    <>
      <Button
        look="quiet"
        isBusy={review.isPending}
        onClick={() => review.mutate({ body: { kind, id } })}
      >
        {texts.seen}
      </Button>
      <Refusal error={review.error} />
    </>
  );
}

function RetryFiscal({ id }: { id: string }) {
  const texts = useAdminTexts().payments;
  const { showToast } = useToasts();
  const retry = useAction('retryFiscalReceipt', { invalidates: ['paymentQueue'] });
  return (
    <>
      <Button
        isBusy={retry.isPending}
        onClick={() =>
          retry.mutate({ params: { id } }, { onSuccess: () => showToast(texts.fiscalRetried) })
        }
      >
        {texts.retryFiscal}
      </Button>
      <Refusal error={retry.error} />
    </>
  );
}

function useFiscalColumns(): Column<DeskFiscalReceipt>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const format = useFormat();
  return [
    {
      id: 'receipt',
      title: columns.receipt,
      cell: ({ payment_id: id, receipt_number: receipt }) => (
        <DeskLink to={['payments', 'list', id]} className="link whitespace-nowrap">
          № {receipt}
        </DeskLink>
      ),
    },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company }) => <CompanyLink company={company} />,
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount, is_return: isReturn }) => (
        <span className="whitespace-nowrap">
          {format.money(amount)}
          <span className="block text-sm text-muted">
            {texts.fiscalKinds[isReturn ? 'return' : 'sale']}
          </span>
        </span>
      ),
    },
    {
      id: 'what',
      title: columns.what,
      cell: ({ error }) => (
        <span lang="ru" className="wrap-anywhere">
          {error}
        </span>
      ),
    },
    {
      id: 'state',
      title: columns.state,
      cell: ({ state, tries }) => (
        <span>
          <Chip tone={state === 'failed' ? 'bad' : 'warn'} icon={CircleAlert}>
            {texts.fiscalStates[state]}
          </Chip>
          <span className="block text-sm text-muted">{texts.tries(tries)}</span>
        </span>
      ),
    },
  ];
}

function useLineColumns(): Column<DeskLine>[] {
  const { columns } = useAdminTexts().payments;
  const format = useFormat();
  return [
    {
      id: 'document',
      title: columns.document,
      cell: ({ bank_reference: number }) => number ?? '—',
    },
    { id: 'date', title: columns.date, cell: ({ paid_at: at }) => <Time at={at} as="date" /> },
    { id: 'payer', title: columns.payer, cell: (line) => <Payer row={line} /> },
    {
      id: 'purpose',
      title: columns.purpose,
      cell: ({ purpose }) => <span className="wrap-anywhere">{purpose}</span>,
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => <span className="whitespace-nowrap">{format.money(amount)}</span>,
    },
  ];
}

function useRefundColumns(): Column<DeskRefund>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  const format = useFormat();
  return [
    {
      id: 'receipt',
      title: columns.receipt,
      cell: ({ payment_id: id, receipt_number: receipt }) => (
        <DeskLink to={['payments', 'list', id]} className="link whitespace-nowrap">
          № {receipt}
        </DeskLink>
      ),
    },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company }) => <CompanyLink company={company} />,
    },
    { id: 'provider', title: columns.provider, cell: ({ provider }) => providers[provider] },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => <span className="whitespace-nowrap">{format.money(amount)}</span>,
    },
    {
      id: 'reason',
      title: columns.reason,
      cell: ({ reason, asked_by: by }) => (
        <span className="wrap-anywhere">
          {reason}
          <span className="block text-sm text-muted">{by ?? texts.byBank}</span>
        </span>
      ),
    },
    {
      id: 'state',
      title: columns.state,
      cell: (refund) => (
        <span>
          <RefundChip refund={refund} />
          {refund.tries > 0 && (
            <span className="block text-sm text-muted">{texts.tries(refund.tries)}</span>
          )}
        </span>
      ),
    },
  ];
}

function useNoticeColumns(): Column<DeskNotice>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  const { lang } = useLang();
  return [
    {
      id: 'order',
      title: columns.order,
      cell: ({ reference }) => <span className="font-mono wrap-anywhere">{reference}</span>,
    },
    { id: 'provider', title: columns.provider, cell: ({ provider }) => providers[provider] },
    {
      id: 'what',
      title: columns.what,
      cell: ({ outcome }) =>
        outcome === null ? texts.noticeWaits : (texts.noticeOutcomes[outcome] ?? outcome),
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount, currency }) =>
        // As reported: it need not be whole, nor tenge.
        amount === null ? '—' : `${amount.toLocaleString(lang)} ${currency ?? ''}`,
    },
    {
      id: 'received',
      title: columns.received,
      cell: ({ received_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}
