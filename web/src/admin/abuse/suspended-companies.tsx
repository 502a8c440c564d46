import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { CompanyLink } from '../company-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import type { Closures } from './closures.ts';

export function SuspendedCompanies({ companies }: { companies: Closures['companies'] }) {
  const texts = useAdminTexts().abuse;
  const columns: Column<Closures['companies'][number]>[] = [
    { id: 'company', title: texts.company, cell: (company) => <CompanyLink company={company} /> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
  ];
  return (
    <DeskSection title={texts.companies}>
      <DataTable
        caption={texts.companies}
        columns={columns}
        rows={companies}
        rowKey={({ id }) => id}
        empty={<p className="text-table text-muted">{texts.noCompanies}</p>}
      />
      {companies.length > 0 && <p className="text-sm text-muted">{texts.resumeHint}</p>}
    </DeskSection>
  );
}
