import type { RequestRow } from '@zhiber/contract/cabinet/requests.ts';
import type { ReactNode } from 'react';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { ModeChip } from '../ui/display/status-chip.tsx';
import { StackedTime, Time } from '../ui/display/time.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ErrorLink } from './error-link.tsx';
import { HttpStatus } from './http-status.tsx';

export function RequestTable(props: {
  rows: readonly RequestRow[] | undefined;
  isRefetching: boolean;
  openId: string | undefined;
  empty: ReactNode;
}) {
  const { rows, isRefetching, openId, empty } = props;
  const texts = useTexts().requests;
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns()}
      rows={rows}
      rowKey={({ request_id: id }) => id}
      rowLink={({ request_id: request }) => ({
        to: '/app/requests',
        search: (before: Record<string, string | undefined>) => ({ ...before, request }),
        resetScroll: false,
      })}
      isOpen={({ request_id: id }) => id === openId}
      isRefetching={isRefetching}
      empty={empty}
    />
  );
}

/** On a small screen the first cell is the whole card, so the other cells are hidden. */
function useColumns(): Column<RequestRow>[] {
  const { columns } = useTexts().requests;
  const wide: Column<RequestRow>[] = [
    { id: 'path', title: columns.path, cell: (row) => <PathAndId row={row} /> },
    { id: 'status', title: columns.status, cell: (row) => <HttpStatus call={row} /> },
    {
      id: 'error',
      title: columns.error,
      cell: ({ error_code: code }) => <ErrorLink code={code} />,
    },
    {
      id: 'took',
      title: columns.took,
      isNumber: true,
      cell: ({ duration_ms: ms }) => <Took ms={ms} />,
    },
    {
      id: 'phone',
      title: columns.phone,
      cell: ({ phone }) => <Phone phone={phone} />,
      className: 'max-xl:hidden',
    },
    { id: 'key', title: columns.key, cell: ({ key }) => <KeyName apiKey={key} /> },
  ];
  return [
    { id: 'at', title: columns.at, cell: (row) => <FirstCell row={row} /> },
    ...wide.map((column) => ({ ...column, onCard: 'hidden' as const })),
  ];
}

function FirstCell({ row }: { row: RequestRow }) {
  return (
    <>
      <span className="max-sm:hidden">
        <StackedTime at={row.at} />
      </span>
      <span className="grid gap-1.5 text-table font-normal sm:hidden">
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <Path path={row.path} />
          <HttpStatus call={row} />
        </span>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-muted">
          <Time at={row.at} />
          <Took ms={row.duration_ms} />
        </span>
        {row.error_code !== null && <span className="font-mono text-sm">{row.error_code}</span>}
      </span>
    </>
  );
}

function Path({ path }: { path: string }) {
  return (
    <span translate="no" className="font-mono text-sm whitespace-nowrap">
      {path}
    </span>
  );
}

function PathAndId({ row }: { row: RequestRow }) {
  return (
    <span className="grid leading-tight">
      <Path path={row.path} />
      <ShortId id={row.request_id} />
    </span>
  );
}

function Took({ ms }: { ms: number }) {
  const texts = useTexts().requests;
  const format = useFormat();
  return <span className="whitespace-nowrap">{texts.millis(format.number(ms))}</span>;
}

function Phone({ phone }: { phone: string | null }) {
  const format = useFormat();
  return <span className="whitespace-nowrap">{phone === null ? '—' : format.phone(phone)}</span>;
}

function KeyName({ apiKey }: { apiKey: RequestRow['key'] }) {
  return (
    <span className="flex items-center gap-2">
      <span title={apiKey.name} className="block max-w-28 truncate xl:max-w-40">
        {apiKey.name}
      </span>
      {apiKey.mode === 'test' && <ModeChip mode="test" />}
    </span>
  );
}

/** Shows the end of an id, because the beginning is the same for a whole hour. */
function ShortId({ id }: { id: string }) {
  return (
    <span title={id} translate="no" className="font-mono text-sm text-muted">
      …{id.slice(-8)}
    </span>
  );
}
