import { useInfiniteQuery } from '@tanstack/react-query';
import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import type { ReactNode } from 'react';
import { useFilters } from '../app/filters.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { chipsOf } from '../ui/filters/filter-chips.tsx';
import { SearchField } from '../ui/filters/search-field.tsx';
import { SearchOnBar, useSearchOn } from '../ui/filters/search-on.tsx';
import { DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { useLinkColumns } from './link-columns.tsx';
import { LINK_FILTERS, useLinkFilters } from './link-filters.tsx';
import { RangeChoice, useClickRange } from './range-choice.tsx';

export function LinkList(props: { onQr: (link: LinkRow) => void; firstUse: ReactNode }) {
  const texts = useTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(LINK_FILTERS);
  const pills = useLinkFilters(filters, setFilters);
  const query = { ...filters, range: useClickRange() };
  const list = useInfiniteQuery(pagesOf('links', query));
  const search = useSearchOn(list, query);
  const columns = useLinkColumns(props.onQr);
  const rows = rowsOf<LinkRow>(list.data);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  const isFirstUse = rows?.length === 0 && !isFiltered && !list.isPlaceholderData;
  if (isFirstUse && search.until === undefined) return <FirstUse form={props.firstUse} />;
  return (
    <>
      <FilterBar
        filters={pills}
        chips={chipsOf(texts.links.states, filters.state, (state) => setFilters({ state }))}
        isFiltered={isFiltered}
        onReset={resetFilters}
        search={
          <SearchField
            label={texts.links.search}
            value={filters.search}
            onSearch={(text) => setFilters({ search: text })}
          />
        }
        aside={<RangeChoice />}
      />
      <DataTable
        caption={texts.links.title}
        columns={columns}
        rows={rows}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: '/app/links/$slug', params: { slug } })}
        isRefetching={list.isPlaceholderData}
        empty={
          // Not shown while the search is unfinished: more may be found.
          search.until === undefined && <NoMatch onReset={resetFilters} />
        }
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <SearchOnBar search={search} />
      {search.until === undefined && <ShowMore list={list} />}
    </>
  );
}

function FirstUse({ form }: { form: ReactNode }) {
  const texts = useTexts().links;
  return (
    <div className="grid gap-5">
      <EmptyState kind="first-use" title={texts.none}>
        {texts.noneNote}
      </EmptyState>
      {form}
    </div>
  );
}
