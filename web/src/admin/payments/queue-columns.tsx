import type {
  DeskFiscalReceipt,
  DeskLine,
  DeskNotice,
  DeskRefund,
} from '@zhiber/contract/admin/payments.ts';
import { CircleAlert } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { DeskLink } from '../desk-link.tsx';
import { CompanyPaymentsLink, ONE_LINE, Payer } from './payment-cells.tsx';
import { RefundChip } from './refund-actions.tsx';

export function useFiscalColumns(): Column<DeskFiscalReceipt>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const format = useFormat();
  return [
    { id: 'receipt', title: columns.receipt, cell: (row) => <ReceiptLink row={row} /> },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company }) => <CompanyPaymentsLink company={company} />,
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount, is_return: isReturn }) => (
        <span>
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
      className: ONE_LINE,
    },
  ];
}

export function useLineColumns(): Column<DeskLine>[] {
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
      cell: ({ amount }) => format.money(amount),
    },
  ];
}

export function useRefundColumns(): Column<DeskRefund>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  const format = useFormat();
  return [
    {
      id: 'receipt',
      title: columns.receipt,
      cell: (row) => (
        <span className="grid">
          <ReceiptLink row={row} />
          <span className="text-sm font-normal whitespace-nowrap text-muted">
            {providers[row.provider]}
          </span>
        </span>
      ),
    },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company }) => <CompanyPaymentsLink company={company} />,
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => format.money(amount),
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
      className: ONE_LINE,
    },
  ];
}

export function useNoticeColumns(): Column<DeskNotice>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  // Kazakh groups digits like Russian, and many browsers lack the Kazakh locale.
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
        amount === null
          ? '—'
          : `${amount.toLocaleString(lang === 'kk' ? 'ru' : lang)} ${currency ?? ''}`,
    },
    {
      id: 'received',
      title: columns.received,
      cell: ({ received_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}

function ReceiptLink({ row }: { row: Pick<DeskRefund, 'payment_id' | 'receipt_number'> }) {
  return (
    <DeskLink to={['payments', 'list', row.payment_id]} className="link whitespace-nowrap">
      № {row.receipt_number}
    </DeskLink>
  );
}
