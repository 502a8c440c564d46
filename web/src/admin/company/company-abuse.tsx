import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { GuardAction } from '../abuse/guard-action.tsx';
import { CompanyTable } from './company-table.tsx';

export function CompanyAbuse({ company }: { company: Company }) {
  const { companies: texts, abuse } = useAdminTexts();
  const format = useFormat();
  const { sent, verified } = company.codes;
  const lead =
    sent === 0
      ? texts.noCodes
      : texts.verifiedShare(
          format.number(verified),
          format.number(sent),
          format.percent(verified / sent),
        );
  const columns: Column<Company['guard_decisions'][number]>[] = [
    { id: 'numbers', title: texts.numbers, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'when', title: texts.period, cell: ({ to }) => <Time at={to} as="timeToMinute" /> },
    {
      id: 'share',
      title: texts.verifiedOf,
      cell: (row) => abuse.codesOf(format.number(row.verified), format.number(row.sent)),
    },
    {
      id: 'decided',
      title: texts.decided,
      cell: (decision) => <GuardAction decision={decision} />,
      onCard: 'plain',
    },
  ];
  return (
    <CompanyTable
      title={texts.abuse}
      lead={lead}
      columns={columns}
      rows={company.guard_decisions}
      rowKey={({ to, prefix }) => `${to} ${prefix}`}
      none={texts.noDecisions}
    />
  );
}
