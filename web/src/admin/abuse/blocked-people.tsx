import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CHANGED, type Closures } from './closures.ts';

export function BlockedPeople({ people }: { people: Closures['people'] }) {
  const texts = useAdminTexts().abuse;
  const format = useFormat();
  const [chosen, setChosen] = useState<Closures['people'][number]>();
  const unblock = useAction('unblockPerson', CHANGED);
  const close = () => {
    unblock.reset();
    setChosen(undefined);
  };
  const columns: Column<Closures['people'][number]>[] = [
    {
      id: 'person',
      title: texts.person,
      cell: ({ name, email, phone }) => (
        <div className="grid">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm wrap-anywhere text-muted">
            {[email, phone === null ? null : format.phone(`+${phone}`)]
              .filter((contact) => contact !== null)
              .join(', ')}
          </span>
        </div>
      ),
    },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
    {
      id: 'unblock',
      title: texts.unblock,
      isTitleHidden: true,
      cell: (person) => (
        <Button aria-label={texts.unblockOf(person.name)} onClick={() => setChosen(person)}>
          {texts.unblock}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <DeskSection title={texts.people}>
      <DataTable
        caption={texts.people}
        columns={columns}
        rows={people}
        rowKey={({ id }) => id}
        empty={<p className="text-table text-muted">{texts.noPeople}</p>}
      />
      {chosen !== undefined && (
        <ReasonDialog
          title={texts.unblockOf(chosen.name)}
          lead={texts.unblockLead}
          action={texts.unblock}
          state={unblock}
          onSubmit={(values) =>
            unblock.mutate(
              { params: { person_id: chosen.id }, body: { reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
    </DeskSection>
  );
}
