import { CHANNEL_TITLES, CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Answer } from '../call.ts';
import { formatSpan } from '../design/format/span.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { type ChartRange, useBucketLabels } from '../ui/chart/bucket-labels.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { type Bucket, sendsOf, shareConfirmed, spread, sum } from './series.ts';

type Mode = 'live' | 'test';
type Choice = { range?: ChartRange; mode?: Mode | undefined };

/** Sends, confirmations and costs over time. Hidden for a company that never sent. */
export function OverviewCharts(props: {
  overview: Answer<'overview'>;
  range: ChartRange;
  mode: Mode | undefined;
  onChoose: (choice: Choice) => void;
}) {
  const { overview, range, mode, onChoose } = props;
  const texts = useTexts();
  const { buckets, steps } = overview;
  if (!steps.has_test_send && !steps.has_live_send) return null;
  const names = { all: texts.overview.allModes, ...texts.ui.modes };
  return (
    <section className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg">{texts.overview.chartsTitle}</h2>
        <div className="flex flex-wrap gap-2">
          <Segments
            label={texts.overview.modeLabel}
            isLabelHidden
            options={optionsOf(names)}
            value={mode ?? 'all'}
            onChoose={(word) => onChoose({ mode: word === 'all' ? undefined : word })}
          />
          <Segments
            label={texts.lists.chartRange}
            isLabelHidden
            options={optionsOf(texts.lists.chartRanges)}
            value={range}
            onChoose={(word) => onChoose({ range: word })}
          />
        </div>
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <SendsChart range={range} buckets={buckets} />
        <ShareChart range={range} buckets={buckets} />
        <TimeChart range={range} buckets={buckets} />
        <SpentChart range={range} buckets={buckets} />
      </div>
    </section>
  );
}

type PartProps = { range: ChartRange; buckets: readonly Bucket[] };

function SendsChart({ range, buckets }: PartProps) {
  const { charts } = useTexts().overview;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const series = CHANNELS.map((channel) => ({
    label: CHANNEL_TITLES[channel],
    colour: channel,
    values: buckets.map(({ sends }) => sends[channel]),
  }));
  const parts = series.map(({ label, values }) => `${label} — ${format.number(sum(values))}`);
  return (
    <Chart
      title={charts.sends}
      summary={charts.sendsSummary(format.number(sum(buckets.map(sendsOf))), parts.join(', '))}
      kind="columns"
      {...names}
      series={series}
      format={format.number}
    />
  );
}

function ShareChart({ range, buckets }: PartProps) {
  const { charts } = useTexts().overview;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const share = shareConfirmed(buckets);
  return (
    <Chart
      title={charts.share}
      summary={share === null ? charts.nothing : charts.shareSummary(format.percent(share))}
      kind="lines"
      {...names}
      series={[
        {
          label: charts.share,
          colour: 'ok',
          values: buckets.map((bucket) => shareConfirmed([bucket])),
        },
      ]}
      format={format.percent}
      unit="%"
      axisFormat={(value) => format.number(value * 100)}
      isShare
    />
  );
}

function TimeChart({ range, buckets }: PartProps) {
  const { charts } = useTexts().overview;
  const { units } = useTexts().lists;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const spanText = (ms: number) => formatSpan(ms, units, format);
  const medians = buckets.map(({ confirm_ms_p50: ms }) => ms);
  const [min, max] = spread(medians) ?? [];
  return (
    <Chart
      title={charts.time}
      summary={
        min === undefined || max === undefined
          ? charts.nothing
          : charts.timeSummary(spanText(min), spanText(max))
      }
      kind="lines"
      {...names}
      series={[
        { label: charts.half, colour: 'brand', values: medians },
        {
          label: charts.almostAll,
          colour: 'warn',
          values: buckets.map(({ confirm_ms_p95: ms }) => ms),
        },
      ]}
      format={spanText}
      unit={charts.seconds}
      axisFormat={(ms) => format.seconds(ms)}
    />
  );
}

function SpentChart({ range, buckets }: PartProps) {
  const { charts } = useTexts().overview;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const values = buckets.map(({ spent }) => spent);
  return (
    <Chart
      title={charts.spent}
      summary={charts.spentSummary(format.money(sum(values)))}
      kind="columns"
      {...names}
      series={[{ label: charts.spent, colour: 'brand', values }]}
      format={format.money}
      unit="₸"
      axisFormat={format.number}
    />
  );
}
