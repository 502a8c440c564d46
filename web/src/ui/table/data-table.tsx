import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { Skeleton } from '../display/skeleton.tsx';

const SKELETON_ROWS = 6;

export type Column<Row> = {
  id: string;
  title: string;
  /**
   * The title is for screen readers only, above buttons with their own labels. As the last column
   * they stand at the end of the row, in one line.
   */
  isTitleHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned, so that they can be compared. */
  isNumber?: boolean;
  canSort?: boolean;
  /** On a small screen a row is a card. A cell is its `head`, a line with a title, or `plain`. */
  onCard?: 'head' | 'plain' | 'hidden';
  className?: string;
};

export type Sort = { by: string; direction: 'ascending' | 'descending' };

export type DataTableProps<Row> = {
  /** The content of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined during the first load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** The link of a row. The first cell is the link; the whole row is clickable. */
  rowLink?: (row: Row) => LinkProps;
  isOpen?: (row: Row) => boolean;
  /** Old rows stay visible during a refetch. */
  isRefetching?: boolean;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Shown instead of the table when there are no rows. */
  empty: ReactNode;
};

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, isRefetching = false, empty } = props;
  const texts = useTexts().ui;
  if (rows !== undefined && rows.length === 0 && !isRefetching) return empty;
  return (
    <div
      aria-busy={isRefetching || rows === undefined}
      className="relative min-w-0 sm:overflow-x-auto sm:rounded-card sm:border sm:border-hairline sm:bg-surface"
    >
      {isRefetching && rows !== undefined && <ProgressLine />}
      <table className="w-full text-table max-sm:block">
        <caption className="sr-only">{caption}</caption>
        <TableHead {...props} />
        <tbody className="max-sm:grid max-sm:gap-2.5">
          {rows === undefined ? (
            <SkeletonRows columns={columns} label={texts.loading} />
          ) : (
            rows.map((row) => <TableRow key={props.rowKey(row)} row={row} table={props} />)
          )}
        </tbody>
      </table>
    </div>
  );
}

function ProgressLine() {
  return (
    <div aria-hidden="true" className="appear-late absolute inset-x-0 top-0 h-0.5 overflow-hidden">
      <div className="h-full w-1/4 animate-[slide_1s_linear_infinite] bg-brand" />
    </div>
  );
}

function SkeletonRows<Row>({ columns, label }: { columns: readonly Column<Row>[]; label: string }) {
  return Array.from({ length: SKELETON_ROWS }, (_, line) => (
    <tr
      key={line}
      className="border-t border-hairline max-sm:block max-sm:rounded-card max-sm:border max-sm:p-3"
    >
      {columns.map(({ id, className }, place) => (
        <td
          key={id}
          className={classes('px-3 py-3 max-sm:block max-sm:px-0 max-sm:py-1', className)}
        >
          {line === 0 && place === 0 && <span className="sr-only">{label}</span>}
          <Skeleton className={place === 0 ? 'w-32' : 'w-20'} />
        </td>
      ))}
    </tr>
  ));
}

/** As narrow as its buttons. */
const AT_END = 'sm:last:w-px sm:last:text-end sm:last:whitespace-nowrap';

export function TableHead<Row>(props: {
  columns: readonly Column<Row>[];
  sort?: Sort;
  onSort?: (sort: Sort) => void;
}) {
  const { columns, sort, onSort } = props;
  return (
    <thead className="max-sm:sr-only">
      <tr>
        {columns.map((column) => {
          const direction = sort?.by === column.id ? sort.direction : undefined;
          return (
            <th
              key={column.id}
              scope="col"
              aria-sort={column.canSort ? (direction ?? 'none') : undefined}
              className={classes(
                'px-3 py-2 text-sm font-medium whitespace-nowrap text-muted',
                column.isNumber ? 'text-end' : 'text-start',
                column.isTitleHidden && AT_END,
                column.className,
              )}
            >
              {column.canSort && onSort ? (
                <SortButton column={column} direction={direction} onSort={onSort} />
              ) : (
                <span className={column.isTitleHidden ? 'sr-only' : undefined}>{column.title}</span>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const ICONS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

function SortButton<Row>(props: {
  column: Column<Row>;
  direction: Sort['direction'] | undefined;
  onSort: (sort: Sort) => void;
}) {
  const { column, direction, onSort } = props;
  const Icon = ICONS[direction ?? 'none'];
  const next = direction === 'descending' ? 'ascending' : 'descending';
  return (
    <button
      type="button"
      className="-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-control px-1.5 hover:text-text"
      onClick={() => onSort({ by: column.id, direction: next })}
    >
      {column.title}
      <Icon aria-hidden="true" size={14} />
    </button>
  );
}

const ROW_CLASS =
  'relative border-t border-hairline max-sm:block max-sm:rounded-card max-sm:border max-sm:bg-surface max-sm:p-3';
/** On a card each value is preceded by its title, because there is no table head. */
const CARD_LINE =
  'max-sm:flex max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:text-end max-sm:before:text-start max-sm:before:text-muted max-sm:before:content-[attr(data-title)]';
const ON_CARD = {
  head: 'max-sm:block max-sm:pb-1.5 max-sm:text-base max-sm:font-medium',
  plain: 'max-sm:block',
  hidden: 'max-sm:hidden',
  line: CARD_LINE,
};

export function TableRow<Row>({ row, table }: { row: Row; table: DataTableProps<Row> }) {
  const link = table.rowLink?.(row);
  const isOpen = table.isOpen?.(row) ?? false;
  return (
    <tr
      className={classes(
        ROW_CLASS,
        link !== undefined && 'hover:bg-sunken has-focus-visible:bg-sunken',
        isOpen && 'bg-sunken',
      )}
    >
      {table.columns.map((column, place) => (
        <Cell key={column.id} column={column} isFirst={place === 0}>
          {place === 0 && link !== undefined ? (
            // The link covers its row; buttons of the row are above it.
            <Link
              {...link}
              data-row-link=""
              aria-current={isOpen ? 'true' : undefined}
              className="outline-none after:absolute after:inset-0 after:content-[''] focus-visible:after:rounded-control focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-brand"
            >
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </Cell>
      ))}
    </tr>
  );
}

function Cell<Row>(props: { column: Column<Row>; isFirst: boolean; children: ReactNode }) {
  const { column, isFirst, children } = props;
  const onCard = column.onCard ?? (isFirst ? 'head' : 'line');
  return (
    <td
      data-title={column.title}
      className={classes(
        'px-3 py-2.5 align-middle max-sm:px-0 max-sm:py-0.5 [&_button]:relative [&_button]:z-1',
        column.isNumber ? 'sm:text-end' : 'text-start',
        ON_CARD[onCard],
        column.isTitleHidden && AT_END,
        column.className,
      )}
    >
      {children}
    </td>
  );
}
