import type { DeskOrder, DeskPayment } from '@zhiber/contract/admin/payments.ts';
import { CircleAlert } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import { TopupStateChip } from '../../ui/display/topup-state.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { DeskLink } from '../desk-link.tsx';

/** Opens the payments of the company. */
export function CompanyPaymentsLink({ company }: { company: { id: number; name: string } }) {
  return (
    <DeskLink
      to={['payments', 'list']}
      search={{ company_id: String(company.id) }}
      className="link wrap-anywhere"
    >
      {company.name}
    </DeskLink>
  );
}

export function Payer({
  row,
}: {
  row: { payer_name: string | null; payer_business_id: string | null };
}) {
  if (row.payer_name === null) return <span className="text-faint">—</span>;
  return (
    <span className="wrap-anywhere">
      {row.payer_name}
      {row.payer_business_id !== null && (
        <span className="block text-sm whitespace-nowrap text-muted">{row.payer_business_id}</span>
      )}
    </span>
  );
}

export function Flags({ flags }: Pick<DeskPayment, 'flags'>) {
  const texts = useAdminTexts().payments;
  if (flags.length === 0) return <span className="text-faint">—</span>;
  return (
    <span className="inline-flex flex-wrap gap-1 max-sm:justify-end">
      {flags.map((flag) => (
        <Chip key={flag} tone="warn" icon={CircleAlert}>
          {texts.flags[flag]}
        </Chip>
      ))}
    </span>
  );
}

/** A chip keeps its word in one line; on a card it has the whole width. */
export const ONE_LINE = 'sm:whitespace-nowrap';

export function useOrderColumns(): Column<DeskOrder>[] {
  const { columns } = useAdminTexts().payments;
  const { providers } = useTexts().topup;
  const format = useFormat();
  return [
    {
      id: 'order',
      title: columns.order,
      cell: ({ reference, provider }) => (
        <span className="grid">
          <span className="font-mono whitespace-nowrap">{reference}</span>
          <span className="text-sm font-normal whitespace-nowrap text-muted">
            {providers[provider]}
          </span>
        </span>
      ),
    },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company, payer_name: payer, payer_business_id: businessId }) => (
        <span className="grid">
          <CompanyPaymentsLink company={company} />
          <span className="text-sm wrap-anywhere text-muted">
            {columns.payer}: {[payer, businessId].filter((part) => part !== null).join(', ')}
          </span>
        </span>
      ),
      className: 'sm:min-w-40',
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => format.money(amount),
    },
    {
      id: 'state',
      title: columns.state,
      cell: ({ state }) => <TopupStateChip state={state} />,
      className: ONE_LINE,
    },
    {
      id: 'created',
      title: columns.created,
      cell: ({ created_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}

export function usePaymentColumns(): Column<DeskPayment>[] {
  const texts = useAdminTexts().payments;
  const { columns } = texts;
  const { providers } = useTexts().topup;
  const format = useFormat();
  return [
    {
      id: 'receipt',
      title: columns.receipt,
      cell: ({ id, receipt_number: receipt }) => (
        <DeskLink to={['payments', 'list', id]} className="link whitespace-nowrap">
          № {receipt}
        </DeskLink>
      ),
    },
    {
      id: 'credited',
      title: columns.credited,
      cell: ({ credited_at: at }) => <Time at={at} as="timeToMinute" />,
    },
    {
      id: 'company',
      title: columns.company,
      cell: ({ company }) => <CompanyPaymentsLink company={company} />,
      className: 'sm:min-w-36',
    },
    {
      id: 'provider',
      title: columns.provider,
      cell: ({ provider, reference }) => (
        <span>
          {providers[provider]}
          {reference !== null && (
            <span className="block font-mono text-sm whitespace-nowrap text-muted">
              {reference}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => format.money(amount),
    },
    {
      id: 'flags',
      title: columns.flags,
      cell: ({ flags }) => <Flags flags={flags} />,
      className: ONE_LINE,
    },
  ];
}
