import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { QrCode } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Time } from '../ui/display/time.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { sayAddress } from './address.ts';
import { ClickCount } from './click-count.tsx';
import { Destination } from './destination.tsx';
import { LinkStateChip } from './link-state.tsx';

export function useLinkColumns(onQr: (link: LinkRow) => void): Column<LinkRow>[] {
  const texts = useTexts();
  const words = texts.links;
  return [
    {
      id: 'short',
      title: words.short,
      cell: ({ short_url: address }) => (
        <span translate="no" className="font-medium break-all">
          {sayAddress(address)}
        </span>
      ),
      className: 'max-sm:pe-20',
    },
    {
      id: 'copy',
      title: '',
      cell: (link) => <RowActions link={link} onQr={onQr} />,
      className: 'sm:px-0 max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    },
    {
      id: 'url',
      title: words.destination,
      cell: ({ url }) => <Destination url={url} />,
      onCard: 'plain',
    },
    {
      id: 'clicks',
      title: words.clicks,
      isNumber: true,
      cell: (link) => <ClickCount clicks={link} />,
    },
    {
      id: 'last',
      title: words.lastClick,
      cell: ({ clicked_at: at }) => (at === null ? '—' : <Time at={at} as="relative" />),
    },
    { id: 'source', title: words.source, cell: ({ source }) => words.sources[source] },
    {
      id: 'expires',
      title: words.expires,
      cell: ({ expires_at: at }) =>
        at === null ? words.expiries.never : <Time at={at} as="date" />,
    },
    { id: 'state', title: words.state, cell: ({ state }) => <LinkStateChip state={state} /> },
  ];
}

function RowActions({ link, onQr }: { link: LinkRow; onQr: (link: LinkRow) => void }) {
  const texts = useTexts().links;
  return (
    <span className="flex">
      <CopyButton isIcon text={link.short_url} label={texts.copyOf(sayAddress(link.short_url))} />
      <IconButton
        icon={QrCode}
        label={texts.qrOf(sayAddress(link.short_url))}
        onClick={() => onQr(link)}
      />
    </span>
  );
}
