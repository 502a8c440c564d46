import { useQuery } from '@tanstack/react-query';
import type { ReceiptRow } from '@zhiber/contract/cabinet/papers.ts';
import { Archive, Download, ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { useFilters } from '../../app/filters.ts';
import { type Answer, addressOf } from '../../call.ts';
import { queryOf } from '../../queries.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { AnchorButton } from '../../ui/controls/anchor-button.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { receiptNumber } from '../../ui/display/receipt-number.ts';
import { Time } from '../../ui/display/time.tsx';
import { Menu, MenuOutsideLink } from '../../ui/overlays/menu.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { ActMenu } from './act-menu.tsx';
import { useMonthTitle } from './month-title.ts';
import { PaperMenuItems } from './paper-menu-items.tsx';
import { type PaperToSend, SendPaperDialog } from './send-paper-dialog.tsx';

/** Of the address; what is no month shows the current one. */
const FILTERS = { month: (value: string) => /^20\d\d-(0[1-9]|1[0-2])$/.exec(value)?.[0] };

/** The papers of a month: its receipts, its act, and all of them in one file. */
export function ReceiptsCard() {
  const texts = useTexts().papers;
  const { filters, setFilters } = useFilters(FILTERS);
  const [sending, setSending] = useState<PaperToSend>();
  const { data, error, refetch, isPlaceholderData } = useQuery(
    queryOf('papers', { query: { month: filters.month } }),
  );
  if (error !== null && data === undefined) return <Failure error={error} onRetry={refetch} />;
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.title}</h2>
        {data !== undefined && (
          <MonthBar papers={data} onMonth={(month) => setFilters({ month })} onSend={setSending} />
        )}
      </div>
      {data !== undefined && <Totals papers={data} />}
      <DataTable
        caption={texts.title}
        columns={useColumns({ receipts: data?.receipts, onSend: setSending })}
        rows={data?.receipts}
        rowKey={({ number }) => number}
        isRefetching={isPlaceholderData}
        empty={<p className="text-table text-muted">{texts.none}</p>}
      />
      {sending !== undefined && (
        <SendPaperDialog paper={sending} onClose={() => setSending(undefined)} />
      )}
    </section>
  );
}

type Papers = Answer<'papers'>;

function MonthBar(props: {
  papers: Papers;
  onMonth: (month: string) => void;
  onSend: (paper: PaperToSend) => void;
}) {
  const { papers, onMonth, onSend } = props;
  const texts = useTexts().papers;
  const monthTitle = useMonthTitle();
  const { month } = papers;
  const months = papers.months.includes(month) ? papers.months : [month, ...papers.months];
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        name="month"
        label={<span className="sr-only">{texts.month}</span>}
        value={month}
        options={months.map((value) => ({ value, label: monthTitle(value) }))}
        onChoose={onMonth}
      />
      {papers.has_act && <ActMenu month={month} onSend={onSend} />}
      {(papers.receipts.length > 0 || papers.has_act) && (
        <AnchorButton
          download
          href={addressOf('monthFile', { query: { month } })}
          icon={<Archive aria-hidden="true" size={16} />}
        >
          {texts.archive}
        </AnchorButton>
      )}
    </div>
  );
}

function Totals({ papers }: { papers: Papers }) {
  const texts = useTexts().papers;
  const format = useFormat();
  return (
    <p className="text-table text-muted">
      {texts.total(format.money(papers.paid), format.money(papers.spent))}{' '}
      {!papers.has_act && texts.actLater}
    </p>
  );
}

function useColumns(props: {
  receipts: readonly ReceiptRow[] | undefined;
  onSend: (paper: PaperToSend) => void;
}): Column<ReceiptRow>[] {
  const { receipts = [], onSend } = props;
  const texts = useTexts().papers;
  const ways: Readonly<Record<string, string>> = useTexts().topup.providers;
  return [
    {
      id: 'date',
      title: texts.date,
      cell: ({ paid_at: at }) => <Time at={at} as="timeToMinute" />,
    },
    { id: 'number', title: texts.number, cell: ({ number }) => receiptNumber(number) },
    { id: 'sum', title: texts.sum, isNumber: true, cell: (row) => <Amount row={row} /> },
    { id: 'way', title: texts.way, cell: ({ way }) => ways[way] ?? way },
    // Most installations have no cash register: no column of dashes there.
    ...(receipts.some(({ fiscal_url: url }) => url !== null)
      ? [{ id: 'fiscal', title: texts.fiscal, cell: (row: ReceiptRow) => <FiscalLink row={row} /> }]
      : []),
    {
      id: 'take',
      title: texts.take,
      isTitleHidden: true,
      isNumber: true,
      onCard: 'plain',
      cell: (row) => <ReceiptMenu row={row} onSend={onSend} />,
    },
  ];
}

function Amount({ row }: { row: ReceiptRow }) {
  const texts = useTexts().papers;
  const format = useFormat();
  return (
    // Reversed: the sums stand under each other, whatever is said about them.
    <span className="flex flex-row-reverse flex-wrap items-center gap-1.5">
      <span className="whitespace-nowrap">{format.money(row.amount)}</span>
      {row.bonus > 0 && <Chip tone="ok">{texts.bonus(format.money(row.bonus))}</Chip>}
      {row.refunded > 0 && <Chip tone="warn">{texts.refunded(format.money(row.refunded))}</Chip>}
      {row.is_late && <Chip tone="calm">{texts.late}</Chip>}
      {row.is_repeated && <Chip tone="calm">{texts.repeated}</Chip>}
      {row.is_other_amount && <Chip tone="calm">{texts.otherAmount}</Chip>}
    </span>
  );
}

function FiscalLink({ row }: { row: ReceiptRow }) {
  const texts = useTexts().papers;
  if (row.fiscal_url === null) return texts.noFiscal;
  return (
    <a
      href={row.fiscal_url}
      target="_blank"
      rel="noreferrer"
      className="link"
      aria-label={texts.fiscalOf(receiptNumber(row.number))}
    >
      {texts.fiscal}
    </a>
  );
}

function ReceiptMenu({ row, onSend }: { row: ReceiptRow; onSend: (paper: PaperToSend) => void }) {
  const texts = useTexts().papers;
  const { number } = row;
  const title = texts.receiptTitle(receiptNumber(number));
  return (
    <Menu
      label={texts.takeOf(receiptNumber(number))}
      button={
        <>
          <Download aria-hidden="true" size={16} />
          {texts.take}
        </>
      }
      buttonClassName={buttonClass('plain')}
    >
      <PaperMenuItems
        addressIn={(lang) => addressOf('receiptFile', { params: { number }, query: { lang } })}
        onSend={() => onSend({ kind: 'receipt', id: String(number), title })}
      />
      <MenuOutsideLink
        href={row.check_url}
        target="_blank"
        rel="noreferrer"
        icon={<ExternalLink aria-hidden="true" size={16} />}
      >
        {texts.check}
      </MenuOutsideLink>
    </Menu>
  );
}
