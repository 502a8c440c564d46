import type { CompanyPage as Company } from '@zhiber/contract/admin/companies.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Time } from '../../ui/display/time.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import { CompanyTable } from './company-table.tsx';

export function CompanyMembers({ rows }: { rows: Company['members'] }) {
  const texts = useAdminTexts().companies;
  const { roles } = useTexts().ui;
  const columns: Column<Company['members'][number]>[] = [
    {
      id: 'name',
      title: texts.who,
      cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
    },
    {
      id: 'contact',
      title: texts.contact,
      cell: ({ contact }) => <span className="wrap-anywhere">{contact}</span>,
    },
    { id: 'role', title: texts.role, cell: ({ role }) => roles[role] },
    {
      id: 'factor',
      title: texts.factor,
      cell: ({ has_second_factor: has }) => (has ? texts.hasFactor : texts.noFactor),
    },
    {
      id: 'seen',
      title: texts.seen,
      cell: ({ seen_at: at }) => (at === null ? texts.never : <Time at={at} as="relative" />),
    },
  ];
  return (
    <CompanyTable
      title={texts.members}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      none={texts.noMembers}
    />
  );
}
