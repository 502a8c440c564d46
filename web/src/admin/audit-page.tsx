import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { OPERATOR_ACTIONS, type OperatorAct } from '@zhiber/contract/admin/audit.ts';
import { type FiltersOf, oneOf, text, useFilters, whole } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { ChangeList } from '../ui/audit/change-list.tsx';
import { instantsOf } from '../ui/audit/period.ts';
import { RecordOrigin } from '../ui/audit/record-origin.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Time } from '../ui/display/time.tsx';
import { ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import { type Filter, FilterBar } from '../ui/filters/filter-bar.tsx';
import { RANGE_FILTERS, useRangeFilter } from '../ui/filters/range-filter.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { useDeskValues } from './audit-values.ts';
import { pagesOf, queryOf, rowsOf } from './call.ts';
import { useCompanyFilter } from './company-filter.tsx';
import { CompanyLink } from './company-link.tsx';

const FILTERS = {
  action: oneOf(OPERATOR_ACTIONS),
  person: text,
  company_id: whole,
  ...RANGE_FILTERS,
};
type Filters = FiltersOf<typeof FILTERS>;
type SetFilters = (changes: Partial<Filters>) => void;

/** What operators have done. `/admin/audit?company_id=12` shows what was done to one company. */
export function AuditPage() {
  const { frame, audit: texts } = useAdminTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { action, person, company_id, ...range } = filters;
  const pills = useAuditFilters(filters, setFilters);
  const columns = useColumns();
  const list = useInfiniteQuery(
    pagesOf('audit', { action, person, company_id, ...instantsOf(range, Date.now()) }),
  );
  return (
    <Page title={frame.sections.audit} lead={texts.lead}>
      <FilterBar filters={pills} isFiltered={isFiltered} onReset={resetFilters} />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={frame.sections.audit}
          columns={columns}
          rows={rowsOf<OperatorAct>(list.data)}
          rowKey={({ id }) => id}
          isRefetching={list.isPlaceholderData}
          empty={
            isFiltered ? (
              <NoMatch onReset={resetFilters} />
            ) : (
              <EmptyState kind="first-use" title={texts.none} />
            )
          }
        />
      )}
      <ShowMore list={list} />
    </Page>
  );
}

function useAuditFilters(filters: Filters, setFilters: SetFilters): Filter[] {
  const texts = useAdminTexts().audit;
  const range = useRangeFilter(filters, setFilters);
  const person = usePersonFilter(filters, setFilters);
  const action: Filter = {
    id: 'action',
    label: texts.what,
    chosen: chosenText(texts.actions, filters.action),
    clear: () => setFilters({ action: undefined }),
    content: (
      <ChoiceDots
        words={texts.actions}
        chosen={filters.action}
        onChoose={(chosen) => setFilters({ action: chosen })}
      />
    ),
  };
  const company = useCompanyFilter(filters.company_id, () => setFilters({ company_id: undefined }));
  return [range, action, person, ...company];
}

function usePersonFilter(filters: Filters, setFilters: SetFilters): Filter {
  const texts = useAdminTexts().audit;
  const { data } = useQuery(queryOf('operators'));
  const words = Object.fromEntries(
    (data?.operators ?? []).map(({ id, name, is_removed: isRemoved }) => [
      id,
      isRemoved ? texts.removed(name) : name,
    ]),
  );
  const { person } = filters;
  return {
    id: 'person',
    label: texts.who,
    chosen: person === undefined ? undefined : (words[person] ?? texts.somebody),
    clear: () => setFilters({ person: undefined }),
    content: (
      <ChoiceDots
        words={words}
        chosen={person}
        onChoose={(chosen) => setFilters({ person: chosen })}
      />
    ),
  };
}

function useColumns(): Column<OperatorAct>[] {
  const texts = useAdminTexts().audit;
  const values = useDeskValues();
  const className = 'align-top';
  const objectOf = useObject();
  return [
    { id: 'at', title: texts.when, cell: ({ at }) => <Time at={at} />, className },
    { id: 'who', title: texts.who, cell: ({ person }) => person ?? texts.terminal, className },
    {
      id: 'what',
      title: texts.what,
      cell: (record) => (
        <div className="grid min-w-0">
          <span className="font-medium">{texts.actions[record.action]}</span>
          <span className="text-sm wrap-anywhere text-muted">{objectOf(record)}</span>
          {record.company !== null && (
            <span className="text-sm">
              <CompanyLink company={record.company} />
            </span>
          )}
        </div>
      ),
      onCard: 'plain',
      className,
    },
    {
      id: 'changes',
      title: texts.changes,
      cell: (record) => <ChangeList record={record} titles={texts.fields} show={values} />,
      onCard: 'plain',
      className: 'align-top sm:min-w-40',
    },
    {
      id: 'origin',
      title: texts.origin,
      cell: (record) => <RecordOrigin record={record} />,
      className,
    },
  ];
}

/** What an act was about. A bare number is that of a receipt, and a company is linked below. */
function useObject(): (act: OperatorAct) => string {
  const texts = useAdminTexts().audit;
  const show = useDeskValues();
  return ({ object, company }) => {
    if (object === company?.name) return '';
    if (/^\d+$/.test(object)) return texts.number(object);
    // A channel, `smsc, sms`, or the days of a statement, `2026-11-01 – 2026-11-30`.
    const [separator] = /, | – /.exec(object) ?? [', '];
    const words = object.split(separator).map((part) => show('item', part) ?? part);
    return [...new Set(words)].join(separator);
  };
}
