import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { RecipientOutcome } from '@zhiber/contract/cabinet/broadcast-words.ts';
import {
  ArrowUpRight,
  Check,
  CheckCheck,
  CircleQuestionMark,
  CircleSlash,
  Clock,
  Eye,
  type LucideIcon,
  X,
} from 'lucide-react';
import { useState } from 'react';
import type { Answer } from '../../call.ts';
import { pagesOf, rowsOf } from '../../queries.ts';
import { useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { optionsOf, Segments } from '../../ui/controls/segments.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Chip, type Tone } from '../../ui/display/chip.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { ShowMore } from '../../ui/table/more-rows.tsx';
import { reasonWords } from './results-parts.tsx';

type Recipient = Answer<'recipients'>['rows'][number];

const FILTERS = {
  all: {},
  clicked: { clicked: 'yes' },
  not_clicked: { clicked: 'no' },
  failed: { outcome: 'failed' },
  unknown: { outcome: 'unknown' },
  skipped: { outcome: 'skipped' },
} as const;

const LOOKS: Record<RecipientOutcome, { tone: Tone; icon: LucideIcon }> = {
  waiting: { tone: 'calm', icon: Clock },
  sending: { tone: 'info', icon: ArrowUpRight },
  sent: { tone: 'info', icon: Check },
  delivered: { tone: 'ok', icon: CheckCheck },
  read: { tone: 'ok', icon: Eye },
  failed: { tone: 'bad', icon: X },
  unknown: { tone: 'warn', icon: CircleQuestionMark },
  skipped: { tone: 'calm', icon: CircleSlash },
};

/** Each recipient with what became of them: all, or who clicked, who failed and so on. */
export function RecipientList({ id }: { id: string }) {
  const texts = useProgressTexts();
  const [shown, setShown] = useState<keyof typeof FILTERS>('all');
  const list = useInfiniteQuery(pagesOf('recipients', FILTERS[shown], { id }));
  const columns = useColumns();
  const rows = rowsOf<Recipient>(list.data);
  return (
    <section className="grid min-w-0 gap-3">
      <h2 className="text-lg">{texts.list}</h2>
      <Segments
        label={texts.show}
        isLabelHidden
        options={optionsOf(texts.filters)}
        value={shown}
        onChoose={setShown}
      />
      {list.error !== null ? (
        <Failure error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.list}
          columns={columns}
          rows={rows}
          rowKey={({ number }) => number}
          isRefetching={list.isPlaceholderData}
          empty={<p className="text-muted">{texts.nobody}</p>}
        />
      )}
      <ShowMore list={list} />
    </section>
  );
}

function useColumns(): Column<Recipient>[] {
  const texts = useProgressTexts();
  const format = useFormat();
  return [
    {
      id: 'phone',
      title: texts.phone,
      cell: ({ phone, message_id: id }) =>
        id === null ? (
          format.phone(phone)
        ) : (
          <Link to="/app/messages/$id" params={{ id }} className="link">
            {format.phone(phone)}
          </Link>
        ),
    },
    {
      id: 'number',
      title: texts.number,
      isNumber: true,
      onCard: 'hidden',
      cell: ({ number }) => number,
    },
    {
      id: 'outcome',
      title: texts.outcome,
      cell: (row) => (
        <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end">
          <Chip {...LOOKS[row.outcome]}>{texts.outcomes[row.outcome]}</Chip>
          {row.reason !== null && (
            <span className="text-sm wrap-anywhere text-muted">{reasonWords(row, texts)}</span>
          )}
        </span>
      ),
    },
    {
      id: 'channel',
      title: texts.channel,
      cell: ({ channel }) => (channel === null ? '—' : <ChannelLabel channel={channel} />),
    },
    {
      id: 'cost',
      title: texts.cost,
      isNumber: true,
      cell: ({ charged }) => format.money(charged),
    },
    {
      id: 'clicked',
      title: texts.clickedAt,
      cell: ({ clicked_at: at }) => (at === null ? '—' : <Time at={at} as="timeToMinute" />),
    },
  ];
}
