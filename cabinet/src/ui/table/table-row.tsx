import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import type { Column, DataTableProps } from './data-table.tsx';

const ROW_CLASS =
  'relative border-t border-hairline max-sm:block max-sm:rounded-card max-sm:border max-sm:bg-surface max-sm:p-3';
/** On a card each value has its title before it, as there is no head above. */
const CARD_LINE =
  'max-sm:flex max-sm:items-center max-sm:justify-between max-sm:gap-4 max-sm:before:text-muted max-sm:before:content-[attr(data-title)]';
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
            // The link reaches over its row; buttons of the row lie above it.
            <Link
              {...link}
              data-row-link=""
              aria-current={isOpen ? 'true' : undefined}
              className="after:absolute after:inset-0 after:content-['']"
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
        column.className,
      )}
    >
      {children}
    </td>
  );
}
