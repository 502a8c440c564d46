import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { COMPANY_STATES, type CompanyRow } from '@zhiber/contract/admin/companies.ts';
import { CircleAlert, CirclePause } from 'lucide-react';
import { oneOf, text, useFilters } from '../app/filters.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { Time } from '../ui/display/time.tsx';
import { ChoiceDots, chosenText } from '../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { SearchField } from '../ui/filters/search-field.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';
import { pagesOf, queryOf, rowsOf } from './call.ts';
import { CompanyPage } from './company/company-page.tsx';
import { CorrectionTable } from './company/corrections.tsx';
import { DeskSection } from './desk-section.tsx';
import { type SectionProps, splatOf } from './section-address.ts';

/** `/admin/companies` lists them, `/admin/companies/12` is one. */
export function CompaniesPage({ path: [id] }: SectionProps) {
  return id === undefined ? <CompanyList /> : <CompanyPage key={id} id={id} />;
}

const FILTERS = { search: text, state: oneOf(COMPANY_STATES) };
/** So much of a key is known here. A secret that somebody pastes stays out of the address. */
const KEY_START_LENGTH = 12;

function CompanyList() {
  const { frame, companies: texts } = useAdminTexts();
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const columns = useColumns();
  const list = useInfiniteQuery(pagesOf('companies', filters));
  const search = (typed: string | undefined) =>
    setFilters({ search: typed?.startsWith('zk_') ? typed.slice(0, KEY_START_LENGTH) : typed });
  const state = {
    id: 'state',
    label: texts.state,
    chosen: chosenText(texts.states, filters.state),
    clear: () => setFilters({ state: undefined }),
    content: (
      <ChoiceDots
        words={texts.states}
        chosen={filters.state}
        onChoose={(chosen) => setFilters({ state: chosen })}
      />
    ),
  };
  return (
    <Page title={frame.sections.companies} lead={texts.lead}>
      <WaitingCorrections />
      <FilterBar
        search={<SearchField label={texts.search} value={filters.search} onSearch={search} />}
        filters={[state]}
        isFiltered={isFiltered}
        onReset={resetFilters}
      />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={frame.sections.companies}
          columns={columns}
          rows={rowsOf<CompanyRow>(list.data)}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/admin/$', params: { _splat: splatOf('companies', id) } })}
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

/** Shown while there are any: somebody has to decide within a week. */
function WaitingCorrections() {
  const texts = useAdminTexts().companies;
  const { data } = useQuery(queryOf('waitingCorrections'));
  if (data === undefined || data.corrections.length === 0) return null;
  return (
    <DeskSection title={texts.waiting}>
      <CorrectionTable rows={data.corrections} hasCompany />
    </DeskSection>
  );
}

function useColumns(): Column<CompanyRow>[] {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  return [
    {
      id: 'name',
      title: texts.name,
      cell: ({ id, name, business_id: businessId }) => (
        <span className="grid min-w-0">
          <span className="font-medium wrap-anywhere">{name}</span>
          <span className="text-sm font-normal text-muted">
            {[texts.number(id), businessId].filter((part) => part !== null).join(' · ')}
          </span>
        </span>
      ),
    },
    { id: 'state', title: texts.state, cell: (row) => <StateChips row={row} />, onCard: 'plain' },
    {
      id: 'balance',
      title: texts.balance,
      isNumber: true,
      cell: ({ balance }) => format.money(balance),
    },
    {
      id: 'spent',
      title: texts.spentWeek,
      isNumber: true,
      cell: ({ spent_week: spent }) => format.money(spent),
    },
    {
      id: 'people',
      title: texts.people,
      isNumber: true,
      cell: ({ members }) => format.number(members),
      className: 'max-xl:hidden',
      onCard: 'hidden',
    },
    {
      id: 'keys',
      title: texts.keys,
      isNumber: true,
      cell: ({ keys }) => format.number(keys),
      className: 'max-xl:hidden',
      onCard: 'hidden',
    },
    {
      id: 'created',
      title: texts.created,
      cell: ({ created_at: at }) => <Time at={at} as="date" />,
    },
  ];
}

function StateChips({ row }: { row: CompanyRow }) {
  const { states, debt } = useAdminTexts().companies;
  const format = useFormat();
  return (
    <span className="flex flex-wrap gap-1.5">
      {row.suspended_because !== null && (
        <Chip tone="bad" icon={CirclePause}>
          {states.suspended}
        </Chip>
      )}
      {row.debt > 0 && (
        <Chip tone="warn" icon={CircleAlert}>
          {debt(format.money(row.debt))}
        </Chip>
      )}
      {row.suspended_because === null && row.debt === 0 && (
        <span className="text-muted">{states.active}</span>
      )}
    </span>
  );
}
