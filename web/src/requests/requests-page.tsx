import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import { useFilters } from '../app/filters.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CodeBlock } from '../ui/display/code-block.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { SearchField } from '../ui/filters/search-field.tsx';
import { SearchOnBar, useSearchOn } from '../ui/filters/search-on.tsx';
import { NewRowsBar, ShowMore } from '../ui/table/more-rows.tsx';
import { RequestCharts } from './request-charts.tsx';
import {
  FILTERS,
  type Filters,
  useRequestChips,
  useRequestFilters,
  VIEW,
} from './request-filters.tsx';
import { RequestPanel } from './request-panel.tsx';
import { exampleCurl } from './request-snippet.ts';
import { RequestTable } from './request-table.tsx';
import { useNewCalls } from './use-new-calls.ts';

/** Every API call, including refused ones. */
export function RequestsPage() {
  const texts = useTexts().requests;
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { filters: view, setFilters: setView } = useFilters(VIEW);
  const pills = useRequestFilters(filters, setFilters);
  const chips = useRequestChips(filters, setFilters);
  return (
    <Page title={texts.title} lead={texts.lead}>
      <RequestCharts
        range={view.charts ?? '24h'}
        onRange={(charts) => setView({ charts })}
        onCode={(error_code) => setFilters({ error_code })}
        onWrongCodes={() => setFilters({ outcome: 'wrong_code', error_code: undefined })}
      />
      <FilterBar
        filters={pills}
        chips={chips}
        isFiltered={isFiltered}
        onReset={resetFilters}
        search={
          <SearchField
            label={texts.search}
            value={filters.search ?? filters.request_id}
            onSearch={(search) => setFilters({ search, request_id: undefined })}
          />
        }
      />
      <RequestList
        filters={filters}
        isFiltered={isFiltered}
        onReset={resetFilters}
        openId={view.request}
      />
      {view.request !== undefined && (
        <RequestPanel requestId={view.request} onClose={() => setView({ request: undefined })} />
      )}
    </Page>
  );
}

function RequestList(props: {
  filters: Filters;
  isFiltered: boolean;
  onReset: () => void;
  openId: string | undefined;
}) {
  const { filters, isFiltered, onReset, openId } = props;
  const client = useQueryClient();
  const options = pagesOf('requests', filters);
  const list = useInfiniteQuery(options);
  const search = useSearchOn(list, filters);
  const rows = rowsOf<RequestRow>(list.data);
  const newCount = useNewCalls(
    filters,
    list.isPlaceholderData ? undefined : rows,
    list.dataUpdatedAt,
  );
  /** Refetches only the first page, however many were loaded. */
  const showNew = async () => {
    client.setQueryData(
      options.queryKey,
      (cached) =>
        cached && { pages: cached.pages.slice(0, 1), pageParams: cached.pageParams.slice(0, 1) },
    );
    await list.refetch();
  };
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  return (
    <>
      <NewRowsBar count={newCount} onShow={() => void showNew()} />
      <RequestTable
        rows={rows}
        isRefetching={list.isPlaceholderData}
        openId={openId}
        empty={
          search.until === undefined && <NoRequests isFiltered={isFiltered} onReset={onReset} />
        }
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <SearchOnBar search={search} />
      {search.until === undefined && <ShowMore list={list} />}
    </>
  );
}

function NoRequests({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  const texts = useTexts();
  const { base_url: apiUrl } = useSession();
  if (isFiltered) {
    return (
      <EmptyState
        kind="no-match"
        title={texts.requests.noneInPeriod}
        action={<Button onClick={onReset}>{texts.ui.resetFilters}</Button>}
      />
    );
  }
  return (
    <div className="grid gap-3">
      <EmptyState kind="first-use" title={texts.requests.emptyTitle}>
        {texts.requests.emptyLead}
      </EmptyState>
      <CodeBlock label="curl" code={exampleCurl('/api/otp/send', apiUrl)} />
    </div>
  );
}
