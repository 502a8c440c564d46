import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';
import { RowActions } from '../row-actions.tsx';
import { LineActions } from './line-actions.tsx';
import { OrderActions } from './order-actions.tsx';
import { useOrderColumns, usePaymentColumns } from './payment-cells.tsx';
import {
  useFiscalColumns,
  useLineColumns,
  useNoticeColumns,
  useRefundColumns,
} from './queue-columns.tsx';
import { RefundActions } from './refund-actions.tsx';

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
  const format = useFormat();
  const { rows, total } = queue;
  if (total === 0) return null;
  return (
    <DeskSection
      title={
        <>
          {texts.queue[name]} <span className="font-normal text-muted">{format.number(total)}</span>
        </>
      }
      lead={texts.queue[`${name}Note`]}
    >
      <DataTable
        caption={texts.queue[name]}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        empty={null}
      />
      {rows.length < total && (
        <p className="text-sm text-muted">
          {texts.more(format.number(rows.length), format.number(total))}
        </p>
      )}
    </DeskSection>
  );
}

/** Takes a row off the list. */
function Seen({ kind, id }: { kind: 'notice' | 'payment'; id: string }) {
  const texts = useAdminTexts().payments;
  const review = useAction('reviewPayment', { invalidates: ['paymentQueue'] });
  return (
    <RowActions error={review.error}>
      <Button isBusy={review.isPending} onClick={() => review.mutate({ body: { kind, id } })}>
        {texts.seen}
      </Button>
    </RowActions>
  );
}

function RetryFiscal({ id }: { id: string }) {
  const texts = useAdminTexts().payments;
  const { showToast } = useToasts();
  const retry = useAction('retryFiscalReceipt', { invalidates: ['paymentQueue'] });
  return (
    <RowActions error={retry.error}>
      <Button
        isBusy={retry.isPending}
        onClick={() =>
          retry.mutate({ params: { id } }, { onSuccess: () => showToast(texts.fiscalRetried) })
        }
      >
        {texts.retryFiscal}
      </Button>
    </RowActions>
  );
}
