import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { type ChartRange, useBucketLabels } from '../ui/chart/bucket-labels.ts';
import { Chart } from '../ui/chart/chart.tsx';
import { optionsOf, Segments } from '../ui/controls/segments.tsx';
import { Card } from '../ui/display/card.tsx';

const CODES_MAX = 6;

type Errors = Answer<'requestErrors'>;

/** Calls by status class over time, and refusals by error code. Hidden before the first call. */
export function RequestCharts(props: {
  range: ChartRange;
  onRange: (range: ChartRange) => void;
  onCode: (code: string) => void;
}) {
  const { range, onRange, onCode } = props;
  const lists = useTexts().lists;
  const { data } = useQuery(queryOf('requestErrors', { query: { range } }));
  // A range without calls hides the charts only if the whole month had none.
  const isQuiet = data !== undefined && !hasCalls(data);
  const month = useQuery({
    ...queryOf('requestErrors', { query: { range: '30d' } }),
    enabled: isQuiet,
  });
  const isNew = isQuiet && (month.data === undefined || !hasCalls(month.data));
  if (data === undefined || isNew) return null;
  return (
    <div className="grid gap-3">
      <div>
        <Segments
          label={lists.chartRange}
          isLabelHidden
          options={optionsOf(lists.chartRanges)}
          value={range}
          onChoose={onRange}
        />
      </div>
      <div className="grid gap-4 lg:grid-cols-[2fr_1fr]">
        <CallsChart range={range} buckets={data.buckets} />
        <ErrorCodes errors={data.errors} onCode={onCode} />
      </div>
    </div>
  );
}

function hasCalls({ buckets }: Errors): boolean {
  return buckets.some(({ ok, refused, failed }) => ok + refused + failed > 0);
}

function CallsChart({ range, buckets }: { range: ChartRange; buckets: Errors['buckets'] }) {
  const texts = useTexts().requests;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const valuesOf = (name: 'ok' | 'refused' | 'failed') => buckets.map((bucket) => bucket[name]);
  const sumOf = (name: 'ok' | 'refused' | 'failed') =>
    valuesOf(name).reduce((sum, value) => sum + value, 0);
  return (
    <Chart
      title={texts.callsTitle}
      summary={texts.callsSummary(sumOf('ok'), sumOf('refused'), sumOf('failed'))}
      kind="columns"
      {...names}
      series={[
        { label: texts.classes.ok, colour: 'ok', values: valuesOf('ok') },
        { label: texts.classes.refused, colour: 'warn', values: valuesOf('refused') },
        { label: texts.classes.failed, colour: 'bad', values: valuesOf('failed') },
      ]}
      format={format.number}
      height={180}
    />
  );
}

/** The most frequent codes first; a click filters the list by the code. */
function ErrorCodes(props: { errors: Errors['errors']; onCode: (code: string) => void }) {
  const { errors, onCode } = props;
  const texts = useTexts().requests;
  const format = useFormat();
  const shown = errors.toSorted((a, b) => b.count - a.count).slice(0, CODES_MAX);
  const max = Math.max(1, ...shown.map(({ count }) => count));
  return (
    <Card title={texts.errorsTitle}>
      {shown.length === 0 ? (
        <p className="text-table text-muted">{texts.noErrors}</p>
      ) : (
        <ul className="grid gap-1">
          {shown.map(({ error_code: code, count }) => (
            <li key={code}>
              <button
                type="button"
                title={texts.showOnly(code)}
                className="relative flex min-h-9 w-full items-center justify-between gap-3 overflow-hidden rounded-control px-2 text-start hover:bg-sunken"
                onClick={() => onCode(code)}
              >
                <span
                  aria-hidden="true"
                  className="absolute inset-y-0.5 start-0 rounded-control bg-warn-tint"
                  style={{ width: `${(count / max) * 100}%` }}
                />
                <span className="relative min-w-0 truncate font-mono text-sm">{code}</span>
                <span className="relative text-table font-medium">{format.number(count)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
