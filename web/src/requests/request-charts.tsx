import { useQuery } from '@tanstack/react-query';
import type { Outcome } from '@zhiber/contract/cabinet/request-words.ts';
import type { ReactNode } from 'react';
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
  onWrongCodes: () => void;
}) {
  const { range, onRange, onCode, onWrongCodes } = props;
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
        <ErrorCodes counts={data} onCode={onCode} onWrongCodes={onWrongCodes} />
      </div>
    </div>
  );
}

function hasCalls({ buckets }: Errors): boolean {
  return buckets.some(
    ({ ok, wrong_code, refused, failed }) => ok + wrong_code + refused + failed > 0,
  );
}

function CallsChart({ range, buckets }: { range: ChartRange; buckets: Errors['buckets'] }) {
  const texts = useTexts().requests;
  const format = useFormat();
  const names = useBucketLabels(range, buckets);
  const valuesOf = (name: Outcome) => buckets.map((bucket) => bucket[name]);
  const sumOf = (name: Outcome) => valuesOf(name).reduce((sum, value) => sum + value, 0);
  return (
    <Chart
      title={texts.callsTitle}
      summary={texts.callsSummary(
        sumOf('ok'),
        sumOf('wrong_code'),
        sumOf('refused'),
        sumOf('failed'),
      )}
      kind="columns"
      {...names}
      series={[
        { label: texts.classes.ok, colour: 'ok', values: valuesOf('ok') },
        { label: texts.classes.wrong_code, colour: 'calm', values: valuesOf('wrong_code') },
        { label: texts.classes.refused, colour: 'warn', values: valuesOf('refused') },
        { label: texts.classes.failed, colour: 'bad', values: valuesOf('failed') },
      ]}
      format={format.number}
      height={180}
    />
  );
}

/** The most frequent codes first, and wrong codes of people in a line of their own. */
function ErrorCodes(props: {
  counts: Pick<Errors, 'errors' | 'wrong_codes'>;
  onCode: (code: string) => void;
  onWrongCodes: () => void;
}) {
  const { counts, onCode, onWrongCodes } = props;
  const texts = useTexts().requests;
  const shown = counts.errors.slice(0, CODES_MAX);
  const max = Math.max(1, ...shown.map(({ count }) => count));
  const wrongCodes = counts.wrong_codes.reduce((sum, { count }) => sum + count, 0);
  return (
    <Card title={texts.errorsTitle}>
      {shown.length === 0 ? (
        <p className="text-table text-muted">{texts.noErrors}</p>
      ) : (
        <ul className="grid gap-1">
          {shown.map(({ error_code: code, count }) => (
            <li key={code}>
              <CountButton
                title={texts.showOnly(code)}
                count={count}
                share={count / max}
                onClick={() => onCode(code)}
              >
                <span className="font-mono text-sm">{code}</span>
              </CountButton>
            </li>
          ))}
        </ul>
      )}
      {wrongCodes > 0 && (
        <div className="mt-3 border-t border-hairline pt-3">
          <CountButton
            title={texts.wrongCodesHint}
            count={wrongCodes}
            share={0}
            onClick={onWrongCodes}
          >
            <span className="text-table">{texts.outcomes.wrong_code}</span>
          </CountButton>
          <p className="px-2 text-sm text-muted">{texts.wrongCodesHint}</p>
        </div>
      )}
    </Card>
  );
}

/** A count that filters the list by what it counts. */
function CountButton(props: {
  title: string;
  count: number;
  /** The length of the bar behind it. */
  share: number;
  onClick: () => void;
  children: ReactNode;
}) {
  const { title, count, share, onClick, children } = props;
  const format = useFormat();
  return (
    <button
      type="button"
      title={title}
      className="relative flex min-h-9 w-full items-center justify-between gap-3 overflow-hidden rounded-control px-2 text-start hover:bg-sunken"
      onClick={onClick}
    >
      <span
        aria-hidden="true"
        className="absolute inset-y-0.5 start-0 rounded-control bg-warn-tint"
        style={{ width: `${share * 100}%` }}
      />
      <span className="relative min-w-0 truncate">{children}</span>
      <span className="relative text-table font-medium">{format.number(count)}</span>
    </button>
  );
}
