import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { CompanyLink } from '../company-link.tsx';
import { DeskSection } from '../desk-section.tsx';
import { CHANGED, type Closures } from './closures.ts';

export function Pardons({ pardons }: { pardons: Closures['pardons'] }) {
  const texts = useAdminTexts().abuse;
  const end = useAction('endPardon', CHANGED);
  const columns: Column<Closures['pardons'][number]>[] = [
    {
      id: 'company',
      title: texts.company,
      cell: ({ company }) => <CompanyLink company={company} />,
    },
    { id: 'prefix', title: texts.prefix, cell: ({ prefix }) => `+${prefix}…` },
    { id: 'until', title: texts.until, cell: ({ until }) => <Time at={until} as="timeToMinute" /> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    {
      id: 'by',
      title: texts.setBy,
      cell: ({ set_by: by }) => by ?? '—',
      className: 'sm:whitespace-nowrap',
    },
    {
      id: 'end',
      title: texts.endPardon,
      isTitleHidden: true,
      cell: ({ company, prefix }) => (
        <Button
          isBusy={end.isPending}
          onClick={() => end.mutate({ params: { company_id: company.id, prefix } })}
        >
          {texts.endPardon}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <DeskSection title={texts.pardons}>
      <DataTable
        caption={texts.pardons}
        columns={columns}
        rows={pardons}
        rowKey={({ company, prefix }) => `${company.id} ${prefix}`}
        empty={null}
      />
      <Refusal error={end.error} />
    </DeskSection>
  );
}
