import { useInfiniteQuery } from '@tanstack/react-query';
import { BROADCAST_STATES } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { BroadcastRow } from '@zhiber/contract/cabinet/broadcasts.ts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { someOf, useFilters } from '../app/filters.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { NoMatch } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { ChoiceBoxes, chosenText } from '../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { useBroadcastColumns } from './broadcast-columns.tsx';
import { EmptyBroadcasts } from './empty-broadcasts.tsx';
import { NewBroadcastDialog } from './new-broadcast-dialog.tsx';
import { SectionTabs } from './section-tabs.tsx';

const FILTERS = { state: someOf(BROADCAST_STATES) };
/** While one runs its figures change all the time; otherwise a schedule may start one. */
const RUNNING_MS = 2_000;
const IDLE_MS = 15_000;

export function BroadcastsPage() {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={canChange && <NewBroadcastButton onPress={create} />}
    >
      <SectionTabs />
      <BroadcastList />
      {isCreating && <NewBroadcastDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewBroadcastButton({ onPress }: { onPress: () => void }) {
  const texts = useBroadcastTexts();
  useShortcut('n', texts.create, onPress);
  return (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={onPress}>
      {texts.create}
    </Button>
  );
}

function BroadcastList() {
  const texts = useBroadcastTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const list = useInfiniteQuery({
    ...pagesOf('broadcasts', filters),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ rows }) => rows.some(({ state }) => state === 'running'))
        ? RUNNING_MS
        : IDLE_MS,
  });
  const columns = useBroadcastColumns();
  const rows = rowsOf<BroadcastRow>(list.data);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  if (rows?.length === 0 && !isFiltered && !list.isPlaceholderData) return <EmptyBroadcasts />;
  return (
    <>
      <FilterBar
        isFiltered={isFiltered}
        onReset={resetFilters}
        filters={[
          {
            id: 'state',
            label: texts.columns.state,
            chosen: chosenText(texts.states, filters.state),
            clear: () => setFilters({ state: undefined }),
            content: (
              <ChoiceBoxes
                words={texts.states}
                chosen={filters.state}
                onChoose={(state) => setFilters({ state })}
              />
            ),
          },
        ]}
      />
      <DataTable
        caption={texts.title}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/app/broadcasts/$id', params: { id } })}
        isRefetching={list.isPlaceholderData}
        empty={<NoMatch onReset={resetFilters} />}
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.refetch} />}
      <ShowMore list={list} />
    </>
  );
}
