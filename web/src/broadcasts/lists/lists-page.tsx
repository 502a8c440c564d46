import { useQuery } from '@tanstack/react-query';
import type { RecipientList } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { Time } from '../../ui/display/time.tsx';
import { useShortcut } from '../../ui/overlays/shortcuts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { NameDialog } from '../name-dialog.tsx';
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
              {texts.newListHint}
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
  const create = useAction('createList', { invalidates: ['recipientLists'] });
  return (
    <NameDialog
      title={texts.newList}
      action={texts.createList}
      field={{ label: texts.listName, hint: texts.newListHint }}
      state={create}
      onName={(name) => create.mutate({ body: { name } }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
