import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { CHANGED, type Closures } from './closures.ts';

export function BarredHosts({ hosts }: { hosts: Closures['hosts'] }) {
  const texts = useAdminTexts().abuse;
  const [allowed, setAllowed] = useState<string>();
  const [isBarring, setBarring] = useState(false);
  const bar = useAction('barHost', CHANGED);
  const unbar = useAction('unbarHost', CHANGED);
  const close = () => {
    bar.reset();
    unbar.reset();
    setAllowed(undefined);
    setBarring(false);
  };
  const columns: Column<Closures['hosts'][number]>[] = [
    { id: 'host', title: texts.host, cell: ({ host }) => <span lang="">{host}</span> },
    { id: 'reason', title: texts.reason, cell: ({ reason }) => reason },
    { id: 'since', title: texts.since, cell: ({ since }) => <Time at={since} as="timeToMinute" /> },
    {
      id: 'unbar',
      title: texts.unbar,
      isTitleHidden: true,
      cell: ({ host }) => (
        <Button aria-label={texts.unbarOf(host)} onClick={() => setAllowed(host)}>
          {texts.unbar}
        </Button>
      ),
      onCard: 'plain',
    },
  ];
  return (
    <DeskSection
      title={texts.hosts}
      aside={<Button onClick={() => setBarring(true)}>{texts.bar}</Button>}
    >
      <DataTable
        caption={texts.hosts}
        columns={columns}
        rows={hosts}
        rowKey={({ host }) => host}
        empty={<p className="text-table text-muted">{texts.noHosts}</p>}
      />
      {isBarring && (
        <ReasonDialog
          title={texts.bar}
          lead={texts.barLead}
          action={texts.bar}
          state={bar}
          onSubmit={(values) =>
            bar.mutate(
              { body: { host: values.text('host'), reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        >
          <TextField name="host" label={texts.host} required autoComplete="off" inputMode="url" />
        </ReasonDialog>
      )}
      {allowed !== undefined && (
        <ReasonDialog
          title={texts.unbarOf(allowed)}
          lead={texts.unbarLead}
          action={texts.unbar}
          state={unbar}
          onSubmit={(values) =>
            unbar.mutate(
              { body: { host: allowed, reason: values.text('reason') } },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
    </DeskSection>
  );
}
