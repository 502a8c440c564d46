import { useQuery } from '@tanstack/react-query';
import { oneOf, useFilters } from '../../app/filters.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { optionsOf, Segments } from '../../ui/controls/segments.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';

const RANGES = ['1h', '24h'] as const;

const FILTERS = { range: oneOf(RANGES) };

type Quality = DeskAnswer<'channelQuality'>['channels'][number];

export function ChannelQuality() {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.range ?? '24h';
  const quality = useQuery(queryOf('channelQuality', { query: { range } }));
  const columns = useQualityColumns();
  return (
    <DeskSection
      title={texts.quality}
      aside={
        <Segments
          label={texts.range}
          isLabelHidden
          options={optionsOf(texts.ranges)}
          value={range}
          onChoose={(chosen) => setFilters({ range: chosen })}
        />
      }
      lead={
        quality.data &&
        texts.qualityLead(
          quality.data.messages_per_company_max,
          format.number(quality.data.messages_per_company_max),
        )
      }
    >
      {quality.error !== null ? (
        <Failure error={quality.error} onRetry={quality.refetch} />
      ) : (
        <DataTable
          caption={texts.quality}
          columns={columns}
          rows={quality.data?.channels}
          rowKey={({ channel }) => channel}
          isRefetching={quality.isPlaceholderData}
          empty={null}
        />
      )}
    </DeskSection>
  );
}

function useQualityColumns(): Column<Quality>[] {
  const texts = useAdminTexts().channels;
  const format = useFormat();
  const share = (part: number, { messages }: Quality) =>
    messages === 0 ? '—' : format.percent(part / messages);
  return [
    {
      id: 'channel',
      title: texts.channel,
      cell: ({ channel }) => <ChannelLabel channel={channel} />,
    },
    {
      id: 'messages',
      title: texts.attempts,
      cell: ({ messages }) => format.number(messages),
      isNumber: true,
    },
    {
      id: 'confirmed',
      title: texts.confirmed,
      cell: (row) => share(row.confirmed, row),
      isNumber: true,
    },
    { id: 'failed', title: texts.failed, cell: (row) => share(row.failed, row), isNumber: true },
    {
      id: 'time',
      title: texts.confirmTime,
      cell: ({ confirm_ms_p95: ms }) => (ms === null ? '—' : texts.seconds(format.seconds(ms))),
      isNumber: true,
    },
    {
      id: 'reasons',
      title: texts.reasons,
      cell: ({ reasons }) =>
        reasons.length > 0 && (
          <ul className="grid gap-0.5 text-sm">
            {reasons.map(({ reason, count }) => (
              <li key={reason}>
                <span lang="ru">{reason}</span>: {format.number(count)}
              </li>
            ))}
          </ul>
        ),
      onCard: 'plain',
    },
  ];
}
