import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { RecipientList } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { text, useFilters } from '../../app/filters.ts';
import type { Answer } from '../../call.ts';
import { pagesOf, queryOf, rowsOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { BackLink } from '../../ui/display/back-link.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { EmptyState, NoMatch } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { ChoiceDots } from '../../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import { NameDialog } from '../name-dialog.tsx';

type Member = Answer<'listMembers'>['rows'][number];

const FILTERS = { tag: text };
/** More would not fit beside the phone; the rest is in the file that the list came from. */
const COLUMNS_SHOWN = 4;

export function ListPage() {
  const texts = useBroadcastTexts();
  const { id } = useParams({ from: '/app/broadcasts/lists/$id' });
  const { data, error, refetch } = useQuery(queryOf('recipientLists'));
  const list = data?.lists.find((one) => String(one.id) === id);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <BackLink to="/app/broadcasts/lists">{texts.toLists}</BackLink>
      {list !== undefined ? (
        <OneList key={list.id} list={list} />
      ) : (
        <Page title={texts.listsTitle}>
          {error !== null && <Failure error={error} onRetry={refetch} />}
          {error === null && data === undefined && <SkeletonCard lines={6} />}
          {data !== undefined && (
            <EmptyState
              kind="no-match"
              title={texts.unknownList}
              action={<LinkButton to="/app/broadcasts/lists">{texts.toLists}</LinkButton>}
            />
          )}
        </Page>
      )}
    </div>
  );
}

function OneList({ list }: { list: RecipientList }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const canChange = useRight('broadcasts.change');
  return (
    <Page
      title={list.name}
      lead={texts.members(list.members, format.number)}
      actions={canChange && <ListActions list={list} />}
    >
      <Members list={list} />
    </Page>
  );
}

function Members({ list }: { list: RecipientList }) {
  const texts = useBroadcastTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const members = useInfiniteQuery(pagesOf('listMembers', filters, { id: list.id }));
  const [removing, setRemoving] = useState<Member>();
  const columns = useColumns(list, setRemoving);
  const rows = rowsOf<Member>(members.data);
  if (members.error !== null && rows === undefined) {
    return <Failure error={members.error} onRetry={members.refetch} />;
  }
  const tags = Object.fromEntries(list.tags.map(({ tag }) => [tag, tag]));
  return (
    <>
      {(list.tags.length > 0 || isFiltered) && (
        <FilterBar
          isFiltered={isFiltered}
          onReset={resetFilters}
          filters={[
            {
              id: 'tag',
              label: texts.tag,
              chosen: filters.tag,
              clear: () => setFilters({ tag: undefined }),
              content: (
                <ChoiceDots
                  words={tags}
                  chosen={filters.tag}
                  onChoose={(tag) => setFilters({ tag })}
                />
              ),
            },
          ]}
        />
      )}
      <DataTable
        caption={texts.membersTitle}
        columns={columns}
        rows={rows}
        rowKey={({ phone }) => phone}
        isRefetching={members.isPlaceholderData}
        empty={
          isFiltered ? (
            <NoMatch onReset={resetFilters} />
          ) : (
            <EmptyState kind="first-use" title={texts.noMembers}>
              {texts.noMembersNote}
            </EmptyState>
          )
        }
      />
      {members.error !== null && <Failure error={members.error} onRetry={members.fetchNextPage} />}
      <ShowMore list={members} />
      {removing !== undefined && (
        <RemoveDialog list={list} member={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

function useColumns(list: RecipientList, onRemove: (member: Member) => void): Column<Member>[] {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const canChange = useRight('broadcasts.change');
  return [
    {
      id: 'phone',
      title: texts.phone,
      cell: ({ phone, is_unsubscribed: isUnsubscribed }) => (
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="whitespace-nowrap">{format.phone(phone)}</span>
          {isUnsubscribed && <Chip tone="warn">{texts.isUnsubscribed}</Chip>}
        </span>
      ),
    },
    ...list.columns.slice(0, COLUMNS_SHOWN).map((title, place) => ({
      id: `cell-${place}`,
      title,
      cell: ({ cells }: Member) => (
        <span className="line-clamp-2 wrap-anywhere">{cells[place] || '—'}</span>
      ),
    })),
    {
      id: 'tags',
      title: texts.tags,
      cell: ({ tags }) => <span className="wrap-anywhere">{tags.join(', ') || '—'}</span>,
    },
    {
      id: 'consent',
      title: texts.consentShort,
      cell: ({ has_consent: has }) =>
        has === null ? texts.consentUnknown : has ? texts.consentYes : texts.consentNo,
    },
    ...(canChange
      ? [
          {
            id: 'act',
            title: texts.columns.act,
            isTitleHidden: true,
            onCard: 'plain' as const,
            cell: (member: Member) => (
              <IconButton
                icon={Trash2}
                label={texts.removeOf(format.phone(member.phone))}
                onClick={() => onRemove(member)}
              />
            ),
            className: 'max-sm:text-end sm:w-14 sm:px-1 sm:py-0',
          },
        ]
      : []),
  ];
}

function RemoveDialog(props: { list: RecipientList; member: Member; onClose: () => void }) {
  const { list, member, onClose } = props;
  const texts = useBroadcastTexts();
  const format = useFormat();
  const remove = useAction('removeListMember', { invalidates: ['listMembers', 'recipientLists'] });
  return (
    <ConfirmDialog
      title={texts.removeOf(format.phone(member.phone))}
      action={texts.removeMember}
      state={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate({ params: { id: list.id, phone: member.phone } }, { onSuccess: onClose })
      }
    >
      <p className="text-table text-muted">{texts.removeMemberNote}</p>
    </ConfirmDialog>
  );
}

function ListActions({ list }: { list: RecipientList }) {
  const texts = useBroadcastTexts();
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button icon={<Pencil aria-hidden="true" size={16} />} onClick={() => setOpen('rename')}>
        {texts.rename}
      </Button>
      <Button
        look="danger"
        icon={<Trash2 aria-hidden="true" size={16} />}
        onClick={() => setOpen('delete')}
      >
        {texts.deleteList}
      </Button>
      {open === 'rename' && <RenameDialog list={list} onClose={close} />}
      {open === 'delete' && <DeleteDialog list={list} onClose={close} />}
    </>
  );
}

function RenameDialog({ list, onClose }: { list: RecipientList; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const rename = useAction('renameList', { invalidates: ['recipientLists'] });
  return (
    <NameDialog
      title={texts.rename}
      action={ui.save}
      field={{ label: texts.listName, defaultValue: list.name }}
      state={rename}
      onName={(name) =>
        rename.mutate({ params: { id: list.id }, body: { name } }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}

function DeleteDialog({ list, onClose }: { list: RecipientList; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const remove = useAction('deleteList', { invalidates: ['recipientLists'] });
  return (
    <ConfirmDialog
      title={texts.deleteListTitle(list.name)}
      action={texts.deleteList}
      state={remove}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { id: list.id } },
          { onSuccess: () => void navigate({ to: '/app/broadcasts/lists' }) },
        )
      }
    >
      <p className="text-table text-muted">{texts.deleteListNote(list.members, format.number)}</p>
    </ConfirmDialog>
  );
}
