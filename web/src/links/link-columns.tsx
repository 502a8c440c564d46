import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { QrCode } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Time } from '../ui/display/time.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { withoutScheme } from './address.ts';
import { ClickCount } from './click-count.tsx';
import { Destination } from './destination.tsx';
import { LinkStateChip } from './link-state.tsx';
import { TagsList } from './tags-list.tsx';

/** What a medium screen omits, the page of a link shows. */
export function useLinkColumns(onQr: (link: LinkRow) => void): Column<LinkRow>[] {
  const texts = useTexts();
  const words = texts.links;
  return [
    {
      id: 'link',
      title: words.short,
      cell: (link) => <Addresses link={link} />,
      className: 'max-sm:pe-20',
    },
    {
      id: 'take',
      title: words.take,
      isTitleHidden: true,
      onCard: 'plain',
      cell: (link) => <RowActions link={link} onQr={onQr} />,
      className: 'sm:px-0 max-sm:absolute max-sm:top-1.5 max-sm:right-1.5',
    },
    {
      id: 'people',
      title: words.people,
      isNumber: true,
      cell: (link) => <ClickCount link={link} by="people" />,
    },
    {
      id: 'scans',
      title: words.scansShort,
      isNumber: true,
      onCard: 'hidden',
      cell: (link) => <ClickCount link={link} by="scans" />,
      className: 'max-xl:hidden',
    },
    {
      id: 'robots',
      title: words.robotsShort,
      isNumber: true,
      onCard: 'hidden',
      cell: (link) => <ClickCount link={link} by="robots" />,
      className: 'max-xl:hidden',
    },
    {
      id: 'last',
      title: words.lastClick,
      cell: ({ clicked_at: at }) => (at === null ? '—' : <Time at={at} as="relative" />),
    },
    {
      id: 'source',
      title: words.source,
      onCard: 'hidden',
      cell: ({ source }) => words.sources[source],
      className: 'max-xl:hidden',
    },
    {
      id: 'expires',
      title: words.expires,
      onCard: 'hidden',
      cell: ({ expires_at: at }) =>
        at === null ? words.expiries.never : <Time at={at} as="date" />,
    },
    {
      id: 'state',
      title: words.state,
      cell: ({ state }) => <LinkStateChip state={state} />,
      className: 'whitespace-nowrap',
    },
  ];
}

function Addresses({ link }: { link: LinkRow }) {
  return (
    <span className="grid min-w-0 grid-cols-[minmax(0,1fr)]">
      <span translate="no" className="font-medium wrap-anywhere sm:whitespace-nowrap">
        {withoutScheme(link.short_url)}
      </span>
      <span className="min-w-0 text-sm font-normal">
        <Destination url={link.url} />
      </span>
      {link.tags.length > 0 && <TagsList tags={link.tags} />}
    </span>
  );
}

function RowActions({ link, onQr }: { link: LinkRow; onQr: (link: LinkRow) => void }) {
  const texts = useTexts().links;
  return (
    <span className="flex">
      <CopyButton
        isIcon
        text={link.short_url}
        label={texts.copyOf(withoutScheme(link.short_url))}
      />
      <IconButton
        icon={QrCode}
        label={texts.qrOf(withoutScheme(link.short_url))}
        onClick={() => onQr(link)}
      />
    </span>
  );
}
