import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CHANNEL_TITLES, CHANNELS } from '@zhiber/contract/api/channel.ts';
import { SPEND_RANGES } from '@zhiber/contract/cabinet/ledger-words.ts';
import { oneOf, useFilters } from '../app/filters.ts';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { useBucketLabels } from '../ui/chart/bucket-labels.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { Card } from '../ui/display/card.tsx';
import { CountingChip, whileCounting } from '../ui/display/counting-chip.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';

const FILTERS = { spend: oneOf(SPEND_RANGES) };
type SpendAnswer = Answer<'spend'>;

/** What messages cost by day and channel, by key, and by purpose. */
export function Spend() {
  const texts = useTexts().balance;
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.spend ?? '30d';
  const spend = useQuery({
    ...queryOf('spend', { query: { range } }),
    refetchInterval: whileCounting(false),
  });
  return (
    <section className="grid min-w-0 gap-4" aria-busy={spend.isPlaceholderData}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.spendTitle}</h2>
        <Segments
          label={texts.spendRange}
          isLabelHidden
          options={optionsOf(texts.spendRanges)}
          value={range}
          onChoose={(chosen) => setFilters({ spend: chosen })}
        />
      </div>
      {spend.data === undefined && spend.error !== null && (
        <Failure error={spend.error} onRetry={spend.refetch} />
      )}
      {spend.isPending && <SkeletonCard lines={5} />}
      {spend.data !== undefined && <SpendFigures spend={spend.data} />}
    </section>
  );
}

function SpendFigures({ spend }: { spend: SpendAnswer }) {
  const texts = useTexts().balance;
  return (
    <>
      <CountingChip hours={spend.hours_to_count} />
      {spend.total === 0 ? (
        <p className="text-table text-muted">{texts.noSpend}</p>
      ) : (
        <>
          <DaysChart spend={spend} />
          <div className="grid gap-4 lg:grid-cols-2">
            <KeysTable spend={spend} />
            <PurposesTable spend={spend} />
          </div>
        </>
      )}
    </>
  );
}

function DaysChart({ spend }: { spend: SpendAnswer }) {
  const texts = useTexts().balance;
  const format = useFormat();
  const names = useBucketLabels('30d', spend.days);
  const series = CHANNELS.map((channel) => ({
    label: CHANNEL_TITLES[channel],
    colour: channel,
    values: spend.days.map((day) => day[channel]),
  }));
  const parts = series.map(
    ({ label, values }) => `${label} — ${format.money(values.reduce((sum, one) => sum + one, 0))}`,
  );
  return (
    <Chart
      title={texts.byDay}
      summary={texts.byDaySummary(format.money(spend.total), parts.join(', '))}
      kind="columns"
      {...names}
      series={series}
      format={format.money}
      unit="₸"
      axisFormat={format.number}
    />
  );
}

function KeysTable({ spend }: { spend: SpendAnswer }) {
  const texts = useTexts().balance;
  return (
    <ShareTable
      title={texts.byKey}
      nameTitle={texts.spendColumns.key}
      total={spend.total}
      rows={spend.keys.map(({ id, name, spent }) => ({
        // The hidden key of broadcasts has no name.
        name: name === '' ? texts.withoutPurpose.broadcast : name,
        spent,
        search:
          name === ''
            ? { kind: 'broadcast', is_charged: 'true' }
            : { key_id: String(id), is_charged: 'true' },
      }))}
    />
  );
}

function PurposesTable({ spend }: { spend: SpendAnswer }) {
  const texts = useTexts().balance;
  return (
    <ShareTable
      title={texts.byPurpose}
      nameTitle={texts.spendColumns.purpose}
      total={spend.total}
      rows={spend.purposes.map(({ kind, purpose, spent }) => ({
        name: purpose ?? texts.withoutPurpose[kind],
        spent,
        search:
          purpose === null
            ? kind === 'otp'
              ? undefined
              : { kind, is_charged: 'true' }
            : { purpose, is_charged: 'true' },
      }))}
    />
  );
}

type ShareRow = {
  name: string;
  spent: number;
  /** The messages of this row; undefined where no filter finds them. */
  search: Record<string, string> | undefined;
};

function ShareTable(props: {
  title: string;
  nameTitle: string;
  total: number;
  rows: readonly ShareRow[];
}) {
  const { title, nameTitle, total, rows } = props;
  const { spendColumns } = useTexts().balance;
  const format = useFormat();
  const canSeeMessages = useRight('messages.see');
  return (
    <Card title={title}>
      <table className="w-full text-table">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="text-sm text-muted">
            <th scope="col" className="py-1 pe-3 text-start font-medium">
              {nameTitle}
            </th>
            <th scope="col" className="px-3 py-1 text-end font-medium">
              {spendColumns.spent}
            </th>
            <th scope="col" className="py-1 ps-3 text-end font-medium">
              {spendColumns.share}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, spent, search }) => (
            <tr key={JSON.stringify(search ?? name)} className="border-t border-hairline">
              <th scope="row" className="py-1.5 pe-3 text-start font-normal wrap-anywhere">
                {canSeeMessages && search !== undefined ? (
                  <Link to="/app/messages" search={search} className="link">
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </th>
              <td className="px-3 py-1.5 text-end whitespace-nowrap">{format.money(spent)}</td>
              <td className="py-1.5 ps-3 text-end whitespace-nowrap text-muted">
                {format.percent(spent / total)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
