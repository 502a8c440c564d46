import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { classes } from '../classes.ts';
import type { Column, Sort } from './data-table.tsx';

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
