import { useInfiniteQuery } from '@tanstack/react-query';
import { Trash2, UserX } from 'lucide-react';
import { useState } from 'react';
import { text, useFilters } from '../../app/filters.ts';
import type { Answer } from '../../call.ts';
import { pagesOf, rowsOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { TextAreaField } from '../../ui/controls/text-field.tsx';
import { EmptyState, NoMatch } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { Time } from '../../ui/display/time.tsx';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { SearchField } from '../../ui/filters/search-field.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import { SectionTabs } from '../section-tabs.tsx';

type Phone = Answer<'unsubscribed'>['rows'][number];

const FILTERS = { phone: text };
const PHONES_LENGTH_MAX = 10_000;

/** People who get no broadcasts of this company, whatever list they are in. */
export function UnsubscribedPage() {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title={texts.unsubscribedTitle}
      lead={texts.unsubscribedLead}
      actions={
        canChange && (
          <Button
            icon={<UserX aria-hidden="true" size={16} />}
            onClick={() => setAdding(true)}
            aria-haspopup="dialog"
          >
            {texts.addPhones}
          </Button>
        )
      }
    >
      <SectionTabs />
      <PhoneList />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function PhoneList() {
  const texts = useBroadcastTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const list = useInfiniteQuery(pagesOf('unsubscribed', filters));
  const [removing, setRemoving] = useState<Phone>();
  const columns = useColumns(setRemoving);
  const rows = rowsOf<Phone>(list.data);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  return (
    <>
      <FilterBar
        filters={[]}
        isFiltered={isFiltered}
        onReset={resetFilters}
        search={
          <SearchField
            label={texts.searchPhone}
            value={filters.phone}
            onSearch={(phone) => setFilters({ phone })}
          />
        }
      />
      <DataTable
        caption={texts.unsubscribedTitle}
        columns={columns}
        rows={rows}
        rowKey={({ phone, is_everywhere: isEverywhere }) => `${phone} ${isEverywhere}`}
        isRefetching={list.isPlaceholderData}
        empty={
          isFiltered ? (
            <NoMatch onReset={resetFilters} />
          ) : (
            <EmptyState kind="first-use" title={texts.nobodyUnsubscribed}>
              {texts.nobodyUnsubscribedNote}
            </EmptyState>
          )
        }
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <ShowMore list={list} />
      {removing !== undefined && (
        <RemoveDialog phone={removing.phone} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

function useColumns(onRemove: (phone: Phone) => void): Column<Phone>[] {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const canChange = useRight('broadcasts.change');
  const columns: Column<Phone>[] = [
    { id: 'phone', title: texts.phone, cell: ({ phone }) => format.phone(phone) },
    {
      id: 'source',
      title: texts.unsubscribedBy,
      cell: ({ source, is_everywhere: isEverywhere }) => (
        <>
          {texts.unsubscribeSources[source]}
          {isEverywhere && <span className="block text-sm text-muted">{texts.everywhere}</span>}
        </>
      ),
    },
    {
      id: 'at',
      title: texts.unsubscribedAt,
      cell: ({ at }) => <Time at={at} as="timeToMinute" />,
    },
  ];
  if (!canChange) return columns;
  return [
    ...columns,
    {
      id: 'act',
      title: texts.columns.act,
      isTitleHidden: true,
      onCard: 'plain',
      // What a person asked for stays.
      cell: (phone) =>
        phone.source === 'company' &&
        !phone.is_everywhere && (
          <IconButton
            icon={Trash2}
            label={texts.removeOf(format.phone(phone.phone))}
            onClick={() => onRemove(phone)}
          />
        ),
      className: 'max-sm:text-end sm:w-14 sm:px-1 sm:py-0',
    },
  ];
}

function RemoveDialog({ phone, onClose }: { phone: string; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const remove = useAction('removeUnsubscribed', { invalidates: ['unsubscribed', 'listMembers'] });
  return (
    <ConfirmDialog
      title={texts.removeOf(format.phone(phone))}
      action={texts.removeUnsubscribed}
      state={remove}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { phone } }, { onSuccess: onClose })}
    >
      <p className="text-table text-muted">{texts.removeUnsubscribedNote}</p>
    </ConfirmDialog>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { showToast } = useToasts();
  const add = useAction('unsubscribePhones', { invalidates: ['unsubscribed', 'listMembers'] });
  const finish = ({ added, invalid }: Answer<'unsubscribePhones'>) => {
    showToast(texts.phonesAdded(added, invalid));
    onClose();
  };
  return (
    <ActDialog
      title={texts.addPhones}
      action={texts.addPhonesSubmit}
      state={add}
      onSubmit={(values) =>
        add.mutate({ body: { phones: values.text('phones') } }, { onSuccess: finish })
      }
      onClose={onClose}
    >
      <TextAreaField
        name="phones"
        label={texts.phones}
        hint={texts.phonesHint}
        rows={6}
        maxLength={PHONES_LENGTH_MAX}
        inputMode="tel"
        spellCheck={false}
        autoComplete="off"
        required
      />
    </ActDialog>
  );
}
