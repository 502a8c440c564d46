import type { ReactNode } from 'react';
import { Card } from '../../ui/display/card.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';

export function TableCard<Row>(props: {
  title: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  none: ReactNode;
}) {
  return (
    <Card title={props.title}>
      <DataTable
        caption={props.title}
        columns={props.columns}
        rows={props.rows}
        rowKey={props.rowKey}
        empty={<p className="text-table text-muted">{props.none}</p>}
      />
    </Card>
  );
}
