import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { GuardAction } from '../abuse/guard-action.tsx';

export function CompanyAbuse({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const { sent, verified } = company.codes;
  const share =
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
      isNumber: true,
      cell: (row) => `${format.number(row.verified)} / ${format.number(row.sent)}`,
    },
    {
      id: 'decided',
      title: texts.decided,
      cell: (decision) => <GuardAction decision={decision} />,
      onCard: 'plain',
    },
  ];
  return (
    <Card title={texts.abuse}>
      <div className="grid gap-4">
        <Facts rows={[[texts.verified, share]]} />
        <DataTable
          caption={texts.decisions}
          columns={columns}
          rows={company.guard_decisions}
          rowKey={({ to, prefix }) => `${to} ${prefix}`}
          empty={<p className="text-table text-muted">{texts.noDecisions}</p>}
        />
      </div>
    </Card>
  );
}
