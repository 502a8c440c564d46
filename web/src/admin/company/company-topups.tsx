import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Time } from '../../ui/display/time.tsx';
import { TopupStateChip } from '../../ui/display/topup-state.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { CompanyTable } from './company-table.tsx';

type Topup = Company['topups'][number];

export function CompanyTopups({ rows }: { rows: Company['topups'] }) {
  const texts = useAdminTexts().companies;
  const { topup } = useTexts();
  const format = useFormat();
  const none = <span className="text-faint">—</span>;
  const providers: Record<string, string> = topup.providers;
  const columns: Column<Topup>[] = [
    {
      id: 'when',
      title: texts.when,
      cell: ({ created_at: at }) => <Time at={at} as="timeToMinute" />,
    },
    { id: 'reference', title: texts.reference, cell: ({ reference }) => reference ?? none },
    {
      id: 'provider',
      title: texts.provider,
      cell: ({ provider }) => providers[provider] ?? provider,
    },
    { id: 'state', title: texts.state, cell: ({ state }) => <TopupStateChip state={state} /> },
    {
      id: 'amount',
      title: texts.amount,
      isNumber: true,
      cell: ({ amount }) => format.money(amount),
    },
    {
      id: 'paid',
      title: texts.paid,
      isNumber: true,
      cell: ({ paid, refunded }) => (
        <span className="grid">
          {paid === 0 ? none : format.money(paid)}
          {refunded > 0 && (
            <span className="text-sm text-muted">{texts.refunded(format.money(refunded))}</span>
          )}
        </span>
      ),
    },
  ];
  return (
    <CompanyTable
      title={texts.topups}
      columns={columns}
      rows={rows}
      rowKey={(row) => `${row.reference ?? ''}${row.created_at}`}
      none={texts.noTopups}
    />
  );
}
