import { useQuery } from '@tanstack/react-query';
import type { LinkClick } from '@zhiber/contract/cabinet/clicks.ts';
import { Bot, type LucideIcon, MousePointerClick, QrCode } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { invalidate, queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chip, type Tone } from '../ui/display/chip.tsx';
import { Time } from '../ui/display/time.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { useClickWords } from './click-words.ts';

/** One read of an index each; a tab in the background does not ask. */
const REFRESH_MS = 3_000;

const LOOKS: Record<LinkClick['kind'], { tone: Tone; icon: LucideIcon }> = {
  person: { tone: 'ok', icon: MousePointerClick },
  scan: { tone: 'info', icon: QrCode },
  robot: { tone: 'calm', icon: Bot },
};

/** The last clicks as they come. A new one renews the numbers and charts of the page. */
export function LastClicks({ slug }: { slug: string }) {
  const texts = useTexts().links;
  const { data } = useQuery({
    ...queryOf('linkClicks', { params: { slug } }),
    refetchInterval: REFRESH_MS,
  });
  const clicks = data?.clicks;
  const has = (property: 'phone' | 'city') =>
    clicks?.some((click) => click[property] !== null) ?? false;
  const columns = useColumns({ hasPhones: has('phone'), hasCities: has('city') });
  useRenewal(clicks);
  // The numbers above say so.
  if (clicks?.length === 0) return null;
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{texts.lastTitle}</h2>
        <p className="text-sm text-muted">{texts.lastNote}</p>
      </div>
      <DataTable
        caption={texts.lastTitle}
        columns={columns}
        rows={clicks}
        rowKey={keyOf}
        empty={null}
      />
    </section>
  );
}

function keyOf({ at, kind, phone }: LinkClick): string {
  return `${at} ${kind} ${phone}`;
}

function useRenewal(clicks: readonly LinkClick[] | undefined): void {
  const newest = clicks === undefined ? undefined : (clicks[0]?.at ?? 'none');
  const shown = useRef(newest);
  useEffect(() => {
    if (newest === undefined || newest === shown.current) return;
    const isFirst = shown.current === undefined;
    shown.current = newest;
    if (!isFirst) invalidate(['link', 'links']);
  }, [newest]);
}

function useColumns(has: { hasPhones: boolean; hasCities: boolean }): Column<LinkClick>[] {
  const { hasPhones, hasCities } = has;
  const texts = useTexts().links;
  const words = useClickWords();
  const format = useFormat();
  const known = (click: LinkClick) =>
    (['device', 'system', 'browser'] as const).flatMap((part) => {
      const value = click[part];
      return value === null ? [] : [words[part](value)];
    });
  return [
    { id: 'at', title: texts.lastTime, cell: ({ at }) => <Time at={at} /> },
    {
      id: 'kind',
      title: texts.kind,
      cell: ({ kind }) => <Chip {...LOOKS[kind]}>{texts.kinds[kind]}</Chip>,
    },
    { id: 'device', title: texts.device, cell: (click) => known(click).join(' · ') || '—' },
    {
      id: 'country',
      title: hasCities ? texts.cityAndCountry : texts.country,
      cell: ({ country, city }) => {
        if (country === null) return '—';
        return city === null ? words.country(country) : words.city(`${country} ${city}`);
      },
    },
    {
      id: 'referrer',
      title: texts.referrer,
      cell: ({ referrer }) => <span className="wrap-anywhere">{referrer ?? '—'}</span>,
    },
    ...(hasPhones
      ? [
          {
            id: 'phone',
            title: texts.phone,
            cell: ({ phone }: LinkClick) => (phone === null ? '—' : format.phone(phone)),
          },
        ]
      : []),
  ];
}
