import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { DeskSection } from '../desk-section.tsx';

/** A part of the page of a company that is one table. */
export function CompanyTable<Row>(props: {
  title: string;
  lead?: ReactNode;
  columns: Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string | number;
  none: ReactNode;
}) {
  return (
    <DeskSection title={props.title} lead={props.lead}>
      <DataTable
        caption={props.title}
        columns={props.columns}
        rows={props.rows}
        rowKey={props.rowKey}
        empty={<p className="text-table text-muted">{props.none}</p>}
      />
    </DeskSection>
  );
}
