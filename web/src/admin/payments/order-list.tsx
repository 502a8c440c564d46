import { useInfiniteQuery } from '@tanstack/react-query';
import type { DeskOrder } from '@zhiber/contract/admin/payments.ts';
import { PAYMENT_PROVIDERS, TOPUP_STATES } from '@zhiber/contract/cabinet/topups.ts';
import { oneOf, text, useFilters, whole } from '../../app/filters.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { instantsOf } from '../../ui/audit/period.ts';
import { EmptyState, NoMatch } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { ChoiceDots, chosenText } from '../../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { RANGE_FILTERS, useRangeFilter } from '../../ui/filters/range-filter.tsx';
import { SearchField } from '../../ui/filters/search-field.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import { pagesOf, rowsOf } from '../call.ts';
import { useCompanyFilter } from '../company-filter.tsx';
import { OrderActions } from './order-actions.tsx';
import { useOrderColumns } from './payment-cells.tsx';
import { useProviderFilter } from './payment-filters.tsx';

const FILTERS = {
  search: text,
  company_id: whole,
  provider: oneOf(PAYMENT_PROVIDERS),
  state: oneOf(TOPUP_STATES),
  ...RANGE_FILTERS,
};

/** All orders of all companies, the newest first. */
export function OrderList() {
  const texts = useAdminTexts().payments;
  const { topup } = useTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { search, company_id, provider, state, ...range } = filters;
  const query = { search, company_id, provider, state, ...instantsOf(range, Date.now()) };
  const list = useInfiniteQuery(pagesOf('paymentOrders', query));
  const columns = useOrderColumns();
  const pills = [
    useRangeFilter(filters, setFilters),
    {
      id: 'state',
      label: texts.stateOf,
      chosen: chosenText(topup.states, state),
      clear: () => setFilters({ state: undefined }),
      content: (
        <ChoiceDots
          words={topup.states}
          chosen={state}
          onChoose={(chosen) => setFilters({ state: chosen })}
        />
      ),
    },
    useProviderFilter(PAYMENT_PROVIDERS, provider, (chosen) => setFilters({ provider: chosen })),
    ...useCompanyFilter(company_id, () => setFilters({ company_id: undefined })),
  ];
  return (
    <>
      <FilterBar
        filters={pills}
        search={
          <SearchField
            label={texts.searchOrders}
            value={search}
            onSearch={(found) => setFilters({ search: found })}
          />
        }
        isFiltered={isFiltered}
        onReset={resetFilters}
      />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.tabs.orders}
          columns={[
            ...columns,
            {
              id: 'actions',
              title: texts.columns.actions,
              isTitleHidden: true,
              onCard: 'plain',
              cell: (order) => <OrderActions order={order} />,
            },
          ]}
          rows={rowsOf<DeskOrder>(list.data)}
          rowKey={({ id }) => id}
          isRefetching={list.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatch onReset={resetFilters} />
            ) : (
              <EmptyState kind="first-use" title={texts.noOrders} />
            )
          }
        />
      )}
      <ShowMore list={list} />
    </>
  );
}
