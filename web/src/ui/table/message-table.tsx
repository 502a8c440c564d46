import { readMessageId, shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import type { ReactNode } from 'react';
import { formatSpan } from '../../design/format/span.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { MessagePath } from '../display/message-path.tsx';
import { ModeChip, StatusChip } from '../display/status-chip.tsx';
import { StackedTime, Time } from '../display/time.tsx';
import { type Column, DataTable } from './data-table.tsx';

/** Messages, newest first; each row links to its details. */
export function MessageTable(props: {
  rows: readonly MessageRow[] | undefined;
  isRefetching?: boolean;
  openId?: string | undefined;
  /** Keeps the filters in the URL; only the messages page has filters that apply there. */
  keepsFilters?: boolean;
  empty: ReactNode;
}) {
  const { rows, isRefetching = false, openId, keepsFilters = false, empty } = props;
  const texts = useTexts().messages;
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns()}
      rows={rows}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({
        to: '/app/messages/$id',
        params: { id: shortMessageId(id) },
        search: keepsFilters ? true : {},
      })}
      isOpen={({ id }) => openId !== undefined && readMessageId(openId) === id}
      isRefetching={isRefetching}
      empty={empty}
    />
  );
}

/**
 * On a small screen the first cell is the whole card, so the other cells are hidden. A medium
 * screen omits columns that the details of a message show.
 */
function useColumns(): Column<MessageRow>[] {
  const texts = useTexts().messages;
  const lists = useTexts().lists;
  const format = useFormat();
  const wide: Column<MessageRow>[] = [
    { id: 'phone', title: texts.columns.phone, cell: (row) => <Recipient row={row} /> },
    { id: 'kind', title: texts.kindAndPurpose, cell: (row) => <KindAndPurpose row={row} /> },
    {
      id: 'state',
      title: texts.columns.state,
      cell: ({ state }) => <StatusChip state={state} />,
      className: 'xl:min-w-40',
    },
    { id: 'path', title: texts.columns.path, cell: ({ path }) => <MessagePath path={path} /> },
    {
      id: 'took',
      title: texts.columns.took,
      isNumber: true,
      cell: ({ took_ms: took }) => (took === null ? '—' : formatSpan(took, lists.units, format)),
      className: 'whitespace-nowrap max-xl:hidden',
    },
    {
      id: 'cost',
      title: texts.columns.cost,
      isNumber: true,
      cell: (row) => <Cost row={row} />,
      className: 'whitespace-nowrap',
    },
    {
      id: 'key',
      title: texts.columns.key,
      cell: ({ key }) => <Short text={key.name} className="max-w-32" />,
      className: 'max-xl:hidden',
    },
  ];
  return [
    { id: 'at', title: texts.columns.at, cell: (row) => <FirstCell row={row} /> },
    ...wide.map((column) => ({ ...column, onCard: 'hidden' as const })),
  ];
}

function FirstCell({ row }: { row: MessageRow }) {
  return (
    <>
      <span className="max-sm:hidden">
        <StackedTime at={row.at} />
      </span>
      <span className="grid gap-1.5 text-table font-normal sm:hidden">
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="text-base font-medium">
            <Recipient row={row} />
          </span>
          <StatusChip state={row.state} />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted">
          <MessagePath path={row.path} />
          <Time at={row.at} />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted">
          <Kind row={row} />
          <span className="text-text">
            <Cost row={row} />
          </span>
        </span>
      </span>
    </>
  );
}

/** Nothing is final before a channel has taken the message. */
function Cost({ row: { state, cost } }: { row: MessageRow }) {
  const texts = useTexts().messages;
  const format = useFormat();
  if (state !== 'queued' && state !== 'sending') return format.money(cost);
  return (
    <span title={texts.notSettled}>
      <span aria-hidden="true">—</span>
      <span className="sr-only">{texts.notSettled}</span>
    </span>
  );
}

function Recipient({ row }: { row: MessageRow }) {
  const format = useFormat();
  return (
    <span className="whitespace-nowrap">
      {format.phone(row.phone)}
      {row.country !== null && <span className="ms-1.5 text-sm text-muted">{row.country}</span>}
    </span>
  );
}

/** The kind of message; every test message has a chip. */
function Kind({ row }: { row: MessageRow }) {
  const { kinds } = useTexts().messages;
  const isWithLink = row.kind === 'otp' && row.has_link;
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {isWithLink ? kinds.otp_with_link : kinds[row.kind]}
      {row.mode === 'test' && <ModeChip mode="test" />}
    </span>
  );
}

function KindAndPurpose({ row }: { row: MessageRow }) {
  return (
    <>
      <Kind row={row} />
      {row.purpose !== null && (
        <span className="text-sm text-muted">
          <Short text={row.purpose} />
        </span>
      )}
    </>
  );
}

/** Truncates a long name; the tooltip shows all of it. */
function Short({ text, className = 'max-w-24' }: { text: string; className?: string }) {
  return (
    <span title={text} className={classes('block truncate', className)}>
      {text}
    </span>
  );
}
