import { useInfiniteQuery } from '@tanstack/react-query';
import type { LedgerEntry } from '@zhiber/contract/cabinet/balance.ts';
import { ENTRY_GROUP_NAMES, REFUND_AT_BANK } from '@zhiber/contract/cabinet/ledger-words.ts';
import { Download, FileSpreadsheet, FileText } from 'lucide-react';
import { Fragment } from 'react';
import { type FiltersOf, someOf, useFilters } from '../app/filters.ts';
import { addressOf } from '../call.ts';
import { pagesOf, rowsOf } from '../queries.ts';
import { useFormat, useLang, useTexts } from '../texts/use-texts.tsx';
import { buttonClass } from '../ui/controls/button.tsx';
import { EmptyState, NoMatch } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { receiptNumber } from '../ui/display/receipt-number.ts';
import { Time } from '../ui/display/time.tsx';
import { ChoiceBoxes, chosenText } from '../ui/filters/choice-boxes.tsx';
import { FilterBar } from '../ui/filters/filter-bar.tsx';
import { RANGE_FILTERS, type Range, useRangeFilter } from '../ui/filters/range-filter.tsx';
import { Menu, MenuOutsideLink, MenuTitle } from '../ui/overlays/menu.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShowMore } from '../ui/table/more-rows.tsx';

const FILTERS = { ...RANGE_FILTERS, kind: someOf(ENTRY_GROUP_NAMES) };
type Filters = FiltersOf<typeof FILTERS>;

/** Every change of the balance, newest first. */
export function Ledger() {
  const texts = useTexts().balance;
  const { filters, setFilters, resetFilters, isFiltered } = useFilters(FILTERS);
  const { range, from, to } = filters;
  const rangeFilter = useRangeFilter(filters, setFilters);
  const kindFilter = {
    id: 'kind',
    label: texts.kindFilter,
    chosen: chosenText(texts.groups, filters.kind),
    clear: () => setFilters({ kind: undefined }),
    content: (
      <ChoiceBoxes
        words={texts.groups}
        chosen={filters.kind}
        onChoose={(kind) => setFilters({ kind })}
      />
    ),
  };
  return (
    <section className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.ledgerTitle}</h2>
        <ExportMenu range={{ range, from, to }} />
      </div>
      <FilterBar
        filters={[rangeFilter, kindFilter]}
        isFiltered={isFiltered}
        onReset={resetFilters}
      />
      <Entries filters={filters} isFiltered={isFiltered} onReset={resetFilters} />
    </section>
  );
}

const ICONS = { csv: FileText, xlsx: FileSpreadsheet };

/** A statement of the chosen period has all kinds of entries, so that its totals add up. */
function ExportMenu({ range }: { range: Range }) {
  const texts = useTexts().balance;
  const { lang } = useLang();
  return (
    <Menu
      button={
        <>
          <Download aria-hidden="true" size={16} />
          {texts.export}
        </>
      }
      buttonClassName={buttonClass('plain')}
    >
      <MenuTitle>{texts.exportHint}</MenuTitle>
      {(['line', 'day'] as const).flatMap((by) =>
        (['csv', 'xlsx'] as const).map((format) => {
          const Icon = ICONS[format];
          return (
            <MenuOutsideLink
              key={`${by} ${format}`}
              download
              href={addressOf('exportLedger', { query: { ...range, by, format, lang } })}
              icon={<Icon aria-hidden="true" size={16} />}
            >
              {texts.exports[by][format]}
            </MenuOutsideLink>
          );
        }),
      )}
    </Menu>
  );
}

function Entries(props: { filters: Filters; isFiltered: boolean; onReset: () => void }) {
  const { filters, isFiltered, onReset } = props;
  const texts = useTexts().balance;
  const list = useInfiniteQuery(pagesOf('ledger', filters));
  const columns = useColumns();
  const rows = rowsOf<LedgerEntry>(list.data);
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={list.refetch} />;
  }
  return (
    <>
      <DataTable
        caption={texts.ledgerTitle}
        columns={columns}
        rows={rows}
        rowKey={({ number }) => number}
        isRefetching={list.isPlaceholderData}
        empty={<NoEntries isFiltered={isFiltered} onReset={onReset} />}
      />
      {list.error !== null && <Failure error={list.error} onRetry={list.fetchNextPage} />}
      <ShowMore list={list} />
    </>
  );
}

function useColumns(): Column<LedgerEntry>[] {
  const { columns, kinds } = useTexts().balance;
  const format = useFormat();
  return [
    // On a phone an entry is three lines, its amount at the end of the first.
    { id: 'kind', title: columns.kind, cell: ({ kind }) => kinds[kind], className: 'max-sm:pe-28' },
    {
      id: 'at',
      title: columns.at,
      cell: ({ at }) => <Time at={at} />,
      onCard: 'plain',
      className: 'max-sm:text-sm max-sm:text-muted',
    },
    {
      id: 'reference',
      title: columns.reference,
      cell: (entry) => <Reference entry={entry} />,
      onCard: 'plain',
    },
    {
      id: 'amount',
      title: columns.amount,
      isNumber: true,
      cell: ({ amount }) => <Amount amount={amount} />,
      onCard: 'plain',
      className: 'whitespace-nowrap max-sm:absolute max-sm:top-3 max-sm:right-3',
    },
    {
      id: 'after',
      title: columns.after,
      isNumber: true,
      cell: ({ balance_after: after }) => format.money(after),
      className: 'whitespace-nowrap',
    },
    {
      id: 'number',
      title: columns.number,
      isNumber: true,
      onCard: 'hidden',
      cell: ({ number }) => <span className="text-muted">{format.number(number)}</span>,
    },
  ];
}

function Amount({ amount }: { amount: number }) {
  const format = useFormat();
  return (
    <span className={amount > 0 ? 'font-medium text-ok' : 'font-medium'}>
      {amount > 0 ? '+' : '−'}
      {format.money(Math.abs(amount))}
    </span>
  );
}

/** What the entry is for: messages, a receipt, an order, a reason. */
function Reference({ entry }: { entry: LedgerEntry }) {
  const texts = useTexts().balance;
  const format = useFormat();
  const { messages, receipt_number: receipt, order_reference: order, reason } = entry;
  const codes = [
    messages > 0 && texts.messages(messages, format.number),
    receipt !== null && texts.receipt(receiptNumber(receipt)),
    order !== null && texts.order(order),
  ].filter((part) => typeof part === 'string');
  const why = reason === REFUND_AT_BANK ? texts.refundAtBank : reason;
  if (codes.length === 0 && why === null)
    return <span className="text-muted max-sm:hidden">—</span>;
  return (
    <span className="wrap-anywhere">
      {codes.map((code, at) => (
        <Fragment key={code}>
          {at > 0 && ' · '}
          <span className="whitespace-nowrap">{code}</span>
        </Fragment>
      ))}
      {codes.length > 0 && why !== null && ' · '}
      {why}
    </span>
  );
}

function NoEntries({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  const texts = useTexts();
  if (isFiltered) {
    return <NoMatch onReset={onReset} />;
  }
  return (
    <EmptyState kind="first-use" title={texts.balance.none}>
      {texts.balance.noneNote}
    </EmptyState>
  );
}
