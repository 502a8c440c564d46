import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { ArrowRight, Ban, RefreshCw } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { ExpiryChip } from '../../ui/display/expiry-chip.tsx';
import { ModeChip } from '../../ui/display/status-chip.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { LastUsed } from './last-used.tsx';
import { Sparkline } from './sparkline.tsx';

export function KeyTable(props: { rows: readonly Key[] | undefined; empty: ReactNode }) {
  const texts = useTexts().keys;
  return (
    <DataTable
      caption={texts.title}
      columns={useColumns()}
      rows={props.rows}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: '/app/keys/$id', params: { id: String(id) } })}
      empty={props.empty}
    />
  );
}

function useColumns(): Column<Key>[] {
  const { columns, anyDomain } = useTexts().keys;
  return [
    { id: 'name', title: columns.name, cell: (row) => <KeyName row={row} /> },
    { id: 'mode', title: columns.mode, cell: (row) => <KeyChips row={row} />, onCard: 'plain' },
    {
      id: 'domain',
      title: columns.domain,
      cell: ({ domain }) =>
        domain ?? <span className="whitespace-nowrap text-muted">{anyDomain}</span>,
      className: 'sm:max-xl:hidden',
    },
    {
      id: 'channels',
      title: columns.channels,
      cell: ({ channels }) => <ChannelPath channels={channels} />,
      onCard: 'plain',
    },
    { id: 'used', title: columns.used, cell: (row) => <LastUsed row={row} /> },
    {
      id: 'sends',
      title: columns.sends,
      isNumber: true,
      cell: ({ sends_by_day: days }) => <Sparkline days={days} />,
    },
    {
      id: 'by',
      title: columns.createdBy,
      cell: ({ created_by: by }) => <span className="text-muted">{by ?? '—'}</span>,
      className: 'max-2xl:hidden',
      onCard: 'hidden',
    },
  ];
}

function KeyName({ row }: { row: Key }) {
  return (
    <span className="grid">
      <span className="font-medium">{row.name}</span>
      <span translate="no" className="font-mono text-sm font-normal whitespace-nowrap text-muted">
        {row.shown}
      </span>
    </span>
  );
}

export function KeyChips({ row }: { row: Pick<Key, 'mode' | 'state' | 'expires_at'> }) {
  const { states } = useTexts().keys;
  return (
    <span className="inline-flex flex-wrap gap-1 align-middle">
      <ModeChip mode={row.mode} />
      {row.state === 'rotating' && (
        <Chip tone="info" icon={RefreshCw}>
          {states.rotating}
        </Chip>
      )}
      {row.state === 'revoked' && (
        <Chip tone="bad" icon={Ban}>
          {states.revoked}
        </Chip>
      )}
      <ExpiryChip end={row.state === 'revoked' ? null : row.expires_at} />
    </span>
  );
}

function ChannelPath({ channels }: Pick<Key, 'channels'>) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 align-middle">
      {channels.map((channel, place) => (
        <Fragment key={channel}>
          {place > 0 && <ArrowRight aria-hidden="true" size={13} className="text-faint" />}
          <ChannelLabel channel={channel} />
        </Fragment>
      ))}
    </span>
  );
}
