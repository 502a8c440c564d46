import { useQuery } from '@tanstack/react-query';
import type { RecipientList } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { Time } from '../../ui/display/time.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useShortcut } from '../../ui/overlays/shortcuts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { SectionTabs } from '../section-tabs.tsx';

export function ListsPage() {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const { data, error, refetch } = useQuery(queryOf('recipientLists'));
  const [isCreating, setCreating] = useState(false);
  return (
    <Page
      title={texts.listsTitle}
      lead={texts.listsLead}
      actions={canChange && <NewListButton onPress={() => setCreating(true)} />}
    >
      <SectionTabs />
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <DataTable
          caption={texts.listsTitle}
          columns={useColumns()}
          rows={data?.lists}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({
            to: '/app/broadcasts/lists/$id',
            params: { id: String(id) },
          })}
          empty={
            <EmptyState kind="first-use" title={texts.noListsTitle}>
              {texts.noLists}
            </EmptyState>
          }
        />
      )}
      {isCreating && <NewListDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewListButton({ onPress }: { onPress: () => void }) {
  const texts = useBroadcastTexts();
  useShortcut('n', texts.newList, onPress);
  return (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={onPress}>
      {texts.newList}
    </Button>
  );
}

function useColumns(): Column<RecipientList>[] {
  const texts = useBroadcastTexts();
  const format = useFormat();
  return [
    {
      id: 'name',
      title: texts.listName,
      cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
    },
    {
      id: 'members',
      title: texts.membersTitle,
      isNumber: true,
      cell: ({ members }) => format.number(members),
    },
    {
      id: 'tags',
      title: texts.tags,
      cell: ({ tags }) => (
        <span className="wrap-anywhere">{tags.map(({ tag }) => tag).join(', ') || '—'}</span>
      ),
    },
    {
      id: 'updated',
      title: texts.updatedAt,
      cell: ({ updated_at: at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
}

function NewListDialog({ onClose }: { onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const create = useAction('createList', { invalidates: ['recipientLists'] });
  return (
    <Dialog title={texts.newList} onClose={onClose}>
      <Form
        error={create.error}
        onSubmit={(values) =>
          create.mutate({ body: { name: values.text('name') } }, { onSuccess: onClose })
        }
      >
        <TextField
          name="name"
          label={texts.listName}
          hint={texts.newListHint}
          maxLength={200}
          autoComplete="off"
          required
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.createList}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {ui.cancel}
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
