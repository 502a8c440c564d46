import { Outlet, useParams } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { useFilters } from '../app/filters.ts';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { SearchField } from '../ui/filters/search-field.tsx';
import { SearchOnBar, useSearchOn } from '../ui/filters/search-on.tsx';
import { MessageTable } from '../ui/table/message-table.tsx';
import { NewRowsBar, ShowMore } from '../ui/table/more-rows.tsx';
import { EmptyMessages } from './empty-messages.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FILTERS, type Filters, useMessageChips, useMessageFilters } from './message-filters.tsx';
import { SavedViews } from './saved-views.tsx';
import { useLiveList } from './use-live-list.ts';

/** The goal: find one person's message in ten seconds, and see what fails. */
export function MessagesPage() {
  const texts = useTexts().messages;
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const canExport = useRight('messages.export');
  const pills = useMessageFilters(filters, setFilters);
  const chips = useMessageChips(filters, setFilters);
  return (
    <Page title={texts.title} actions={canExport && <ExportMenu filters={filters} />}>
      <FilterBar
        filters={pills}
        chips={chips}
        isFiltered={isFiltered}
        onReset={resetFilters}
        search={
          <SearchField
            label={texts.search}
            value={filters.search}
            onSearch={(search) => setFilters({ search })}
          />
        }
        aside={<SavedViews filters={filters} isFiltered={isFiltered} />}
      />
      <MessageList filters={filters} isFiltered={isFiltered} onReset={resetFilters} />
      <Outlet />
    </Page>
  );
}

function MessageList(props: { filters: Filters; isFiltered: boolean; onReset: () => void }) {
  const { filters, isFiltered, onReset } = props;
  const { id: openId } = useParams({ strict: false });
  const { list, rows, newCount, isOffline, showNew } = useLiveList(filters);
  const search = useSearchOn(list, filters);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  return (
    <>
      {isOffline && <OfflineChip />}
      <NewRowsBar count={newCount} onShow={() => void showNew()} />
      <MessageTable
        rows={rows}
        isRefetching={list.isPlaceholderData}
        openId={openId}
        keepsFilters
        empty={
          // Not shown while the search is unfinished: more may be found.
          search.until === undefined && <EmptyMessages isFiltered={isFiltered} onReset={onReset} />
        }
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <SearchOnBar search={search} />
      {search.until === undefined && <ShowMore list={list} />}
    </>
  );
}

/** Shown when both the stream and polling fail. */
function OfflineChip() {
  const texts = useTexts().lists;
  return (
    <p role="status">
      <Chip tone="warn" icon={WifiOff}>
        {texts.noConnection}
      </Chip>
    </p>
  );
}
