import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { Skeleton } from '../display/skeleton.tsx';
import { TableHead } from './table-head.tsx';
import { TableRow } from './table-row.tsx';

const SKELETON_ROWS = 6;

export type Column<Row> = {
  id: string;
  title: string;
  /** The title is said and not shown: above buttons that name themselves. */
  isTitleHidden?: boolean;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the right, so that they can be compared. */
  isNumber?: boolean;
  canSort?: boolean;
  /** On a small screen a row is a card: its `head`, lines with titles, or `plain` without one. */
  onCard?: 'head' | 'plain' | 'hidden';
  className?: string;
};

export type Sort = { by: string; direction: 'ascending' | 'descending' };

export type DataTableProps<Row> = {
  /** What the table is of; said to screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  /** Undefined while they are fetched for the first time. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string | number;
  /** Where a row leads. The first cell is the link; the whole row can be clicked. */
  rowLink?: (row: Row) => LinkProps;
  isOpen?: (row: Row) => boolean;
  /** Old rows stay while newer ones are fetched. */
  isRefetching?: boolean;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Instead of the table when there are no rows. */
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
