import { useQuery } from '@tanstack/react-query';
import type { SenderName } from '@zhiber/contract/admin/prices.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { queryOf, useAction } from '../call.ts';

/** The names that the mobile operators have registered. */
export function SenderNames() {
  const texts = useAdminTexts().prices;
  const format = useFormat();
  const { data, error, refetch } = useQuery(queryOf('senderNames'));
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />;
  return (
    <>
      <Card>
        <NewName />
      </Card>
      <DataTable
        caption={texts.tabs.senders}
        rows={data?.names}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            title: texts.senderName,
            cell: ({ name }) => <span className="font-mono">{name}</span>,
          },
          {
            id: 'note',
            title: texts.senderNote,
            cell: ({ note }) => <span className="wrap-anywhere">{note ?? '—'}</span>,
          },
          {
            id: 'used',
            title: texts.usedBy,
            isNumber: true,
            cell: ({ companies }) => format.number(companies.length),
          },
          {
            id: 'at',
            title: texts.registeredAt,
            cell: ({ registered_at: at }) => <Time at={at} as="date" />,
          },
          {
            id: 'actions',
            title: texts.columns.actions,
            isTitleHidden: true,
            onCard: 'plain',
            cell: (sender) => <Remove sender={sender} />,
          },
        ]}
        empty={
          <EmptyState kind="first-use" title={texts.noSenders}>
            {texts.noSendersNote}
          </EmptyState>
        }
      />
    </>
  );
}

function NewName() {
  const texts = useAdminTexts().prices;
  const { showToast } = useToasts();
  const [added, setAdded] = useState(0);
  const add = useAction('addSenderName', { invalidates: ['senderNames'] });
  return (
    <Form
      // Empties the fields.
      key={added}
      className="max-w-form"
      error={add.error}
      onSubmit={(values) => {
        const note = values.optional('note');
        add.mutate(
          { body: { name: values.text('name'), ...(note !== undefined && { note }) } },
          {
            onSuccess: () => {
              showToast(texts.registered);
              setAdded((count) => count + 1);
            },
          },
        );
      }}
    >
      <p className="text-table text-muted">{texts.sendersNote}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="name"
          label={texts.senderName}
          hint={texts.senderHint}
          required
          minLength={3}
          maxLength={11}
          autoComplete="off"
        />
        <TextField
          name="note"
          label={<Optional label={texts.senderNote} />}
          maxLength={200}
          autoComplete="off"
        />
      </div>
      <FormActions>
        <Button type="submit" look="primary" isBusy={add.isPending}>
          {texts.register}
        </Button>
      </FormActions>
    </Form>
  );
}

function Remove({ sender }: { sender: SenderName }) {
  const texts = useAdminTexts().prices;
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction('removeSenderName', { invalidates: ['senderNames'] });
  if (sender.companies.length > 0) return <span className="text-muted">{texts.inUse}</span>;
  return (
    <>
      <Button look="quiet" onClick={() => setAsking(true)}>
        {texts.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.removeTitle(sender.name)}
          action={texts.remove}
          state={remove}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            remove.mutate(
              { params: { name: sender.name } },
              { onSuccess: () => showToast(texts.removed) },
            )
          }
        >
          <p>{texts.removeNote}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
