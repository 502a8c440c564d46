import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditRecord } from '@zhiber/contract/cabinet/company.ts';
import { REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import { useFilters } from '../app/filters.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { ChangeList } from '../ui/audit/change-list.tsx';
import { instantsOf } from '../ui/audit/period.ts';
import { RecordOrigin } from '../ui/audit/record-origin.tsx';
import { EmptyState, NoMatch, NoRight } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { receiptNumber } from '../ui/display/receipt-number.ts';
import { StackedTime, Time } from '../ui/display/time.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { useTodayChip } from '../ui/filters/range-filter.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { AUDIT_FILTERS, useAuditFilters } from './audit-filters.tsx';

export function AuditPage() {
  const texts = useTexts().audit;
  return useRight('audit.see') ? <Records /> : <NoRight title={texts.title} />;
}

function Records() {
  const texts = useTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(AUDIT_FILTERS);
  const { action, person, ...range } = filters;
  const pills = useAuditFilters(filters, setFilters);
  const today = useTodayChip(filters, setFilters);
  const columns = useColumns();
  const list = useInfiniteQuery(
    pagesOf('audit', { action, person, ...instantsOf(range, Date.now()) }),
  );
  return (
    <Page title={texts.audit.title} lead={texts.audit.lead}>
      <FilterBar filters={pills} chips={[today]} isFiltered={isFiltered} onReset={resetFilters} />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.audit.title}
          columns={columns}
          rows={rowsOf<AuditRecord>(list.data)}
          rowKey={({ id }) => id}
          isRefetching={list.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatch onReset={resetFilters} />
            ) : (
              <EmptyState kind="first-use" title={texts.audit.none}>
                {texts.audit.noneNote}
              </EmptyState>
            )
          }
        />
      )}
      <ShowMore list={list} />
    </Page>
  );
}

function useColumns(): Column<AuditRecord>[] {
  const texts = useTexts().audit;
  return [
    {
      id: 'at',
      title: texts.when,
      cell: (record) => <FirstCell record={record} />,
      className: 'align-top',
    },
    {
      id: 'who',
      title: texts.who,
      cell: (record) => <Who record={record} />,
      onCard: 'hidden',
      className: 'align-top',
    },
    {
      id: 'what',
      title: texts.what,
      cell: (record) => <AuditEventText record={record} />,
      onCard: 'hidden',
      className: 'align-top',
    },
    {
      id: 'changes',
      title: texts.changes,
      cell: (record) => <ChangeList record={record} titles={texts.fields} />,
      onCard: 'hidden',
      className: 'align-top sm:min-w-48',
    },
    {
      id: 'origin',
      title: texts.origin,
      cell: (record) => <RecordOrigin record={record} />,
      onCard: 'hidden',
      className: 'align-top',
    },
  ];
}

/** On a small screen it is the whole card. */
function FirstCell({ record }: { record: AuditRecord }) {
  const texts = useTexts().audit;
  return (
    <>
      <span className="max-sm:hidden">
        <StackedTime at={record.at} />
      </span>
      <div className="grid gap-1.5 text-table font-normal sm:hidden">
        <AuditEventText record={record} />
        {(record.before ?? record.after) !== null && (
          <ChangeList record={record} titles={texts.fields} />
        )}
        <span className="flex flex-wrap justify-between gap-x-3 gap-y-1 text-sm text-muted">
          <Who record={record} />
          <Time at={record.at} />
        </span>
      </div>
    </>
  );
}

function Who({ record }: { record: AuditRecord }) {
  const texts = useTexts().audit;
  return record.person ?? (isByBank(record) ? texts.bank : texts.operator);
}

/** What the bank has reported, and no operator has done or confirmed. */
function isByBank({ action, after }: AuditRecord): boolean {
  if (action === 'balance.refunded') return after?.reason === REFUND_AT_BANK;
  if (action !== 'balance.topped_up') return false;
  return after?.provider !== 'terminal' && after?.confirmed_by === undefined;
}

function AuditEventText({ record }: { record: AuditRecord }) {
  const { audit: texts, balance } = useTexts();
  const object =
    record.action === 'balance.refunded'
      ? balance.receipt(receiptNumber(Number(record.object)))
      : record.object;
  return (
    <div className="grid min-w-0">
      <span className="font-medium">{texts.actions[record.action]}</span>
      <span className="text-sm wrap-anywhere text-muted">{object}</span>
    </div>
  );
}
