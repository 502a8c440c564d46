import { useInfiniteQuery } from '@tanstack/react-query';
import { DESK_PROVIDERS, PAYMENT_STATES } from '@zhiber/contract/admin/payment-words.ts';
import type { DeskPayment } from '@zhiber/contract/admin/payments.ts';
import { oneOf, text, useFilters, whole } from '../../app/filters.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { instantsOf } from '../../ui/audit/period.ts';
import { Stat, Stats } from '../../ui/display/card.tsx';
import { EmptyState, NoMatch } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { ChoiceDots, chosenText } from '../../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../../ui/filters/filter-bar.tsx';
import { RANGE_FILTERS, useRangeFilter } from '../../ui/filters/range-filter.tsx';
import { SearchField } from '../../ui/filters/search-field.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import { type DeskAnswer, pagesOf, rowsOf } from '../call.ts';
import { useCompanyFilter } from '../company-filter.tsx';
import { usePaymentColumns } from './payment-cells.tsx';
import { useProviderFilter } from './payment-filters.tsx';

const FILTERS = {
  search: text,
  company_id: whole,
  provider: oneOf(DESK_PROVIDERS),
  state: oneOf(PAYMENT_STATES),
  ...RANGE_FILTERS,
};

/** All credited payments, the newest first, with the totals of what the filters leave. */
export function PaymentList() {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { search, company_id, provider, state, ...range } = filters;
  const query = { search, company_id, provider, state, ...instantsOf(range, Date.now()) };
  const list = useInfiniteQuery(pagesOf('payments', query));
  const columns = usePaymentColumns();
  const pills = [
    useRangeFilter(filters, setFilters),
    {
      id: 'state',
      label: texts.stateFilter,
      chosen: chosenText(texts.states, state),
      clear: () => setFilters({ state: undefined }),
      content: (
        <ChoiceDots
          words={texts.states}
          chosen={state}
          onChoose={(chosen) => setFilters({ state: chosen })}
        />
      ),
    },
    useProviderFilter(DESK_PROVIDERS, provider, (chosen) => setFilters({ provider: chosen })),
    ...useCompanyFilter(company_id, () => setFilters({ company_id: undefined })),
  ];
  const totals = list.data?.[0]?.totals;
  return (
    <>
      <FilterBar
        filters={pills}
        search={
          <SearchField
            label={texts.search}
            value={search}
            onSearch={(found) => setFilters({ search: found })}
          />
        }
        isFiltered={isFiltered}
        onReset={resetFilters}
      />
      {totals !== undefined && <Totals totals={totals} />}
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.tabs.list}
          columns={[
            ...columns,
            {
              id: 'bonus',
              title: texts.columns.bonus,
              isNumber: true,
              cell: ({ bonus }) => (bonus === 0 ? '—' : format.money(bonus)),
            },
            {
              id: 'refunded',
              title: texts.columns.refunded,
              isNumber: true,
              cell: ({ refunded }) => (refunded === 0 ? '—' : format.money(refunded)),
            },
          ]}
          rows={rowsOf<DeskPayment>(list.data)}
          rowKey={({ id }) => id}
          isRefetching={list.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatch onReset={resetFilters} />
            ) : (
              <EmptyState kind="first-use" title={texts.noPayments} />
            )
          }
        />
      )}
      <ShowMore list={list} />
    </>
  );
}

function Totals({ totals }: { totals: DeskAnswer<'payments'>['totals'] }) {
  const texts = useAdminTexts().payments;
  const format = useFormat();
  const { payments, amount, bonus, refunded } = totals;
  return (
    <Stats columns={4}>
      <Stat
        label={texts.totalAmount}
        value={format.money(amount)}
        note={texts.totals(format.number(payments))}
      />
      <Stat label={texts.totalRefunded} value={format.money(refunded)} />
      <Stat label={texts.totalLeft} value={format.money(amount - refunded)} />
      <Stat label={texts.totalBonus} value={format.money(bonus)} />
    </Stats>
  );
}
