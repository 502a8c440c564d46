import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { OVERVIEW_RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import { oneOf, useFilters } from '../app/filters.ts';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chart } from '../ui/chart/chart.tsx';
import { Segments } from '../ui/controls/segments.tsx';
import { Card, Stat, Stats } from '../ui/display/card.tsx';
import { CountingChip, whileCounting } from '../ui/display/counting-chip.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';

const FILTERS = { range: oneOf(OVERVIEW_RANGES) };
type Use = Answer<'keyUse'>;
type Range = (typeof OVERVIEW_RANGES)[number];

/** The sends and refusals of a key. */
export function KeyUse({ id }: { id: number }) {
  const texts = useTexts().keys.use;
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.range ?? '7d';
  const use = useQuery({
    ...queryOf('keyUse', { params: { id }, query: { range } }),
    refetchInterval: whileCounting(false),
  });
  return (
    <div className="grid gap-4" aria-busy={use.isPlaceholderData}>
      <Segments
        label={texts.range}
        isLabelHidden
        value={range}
        options={OVERVIEW_RANGES.map((value) => ({ value, label: texts.ranges[value] }))}
        onChoose={(chosen) => setFilters({ range: chosen })}
      />
      {use.error !== null && <ErrorCard error={use.error} onRetry={use.refetch} />}
      {use.isPending && <SkeletonCard lines={5} />}
      {use.data !== undefined && use.error === null && (
        <>
          <CountingChip hours={use.data.hours_to_count} />
          <UseFigures id={id} use={use.data} range={range} />
        </>
      )}
    </div>
  );
}

function UseFigures({ id, use, range }: { id: number; use: Use; range: Range }) {
  const texts = useTexts().keys.use;
  const format = useFormat();
  const refusals = use.errors.reduce((sum, { count }) => sum + count, 0);
  const calls = use.sends + refusals;
  return (
    <>
      <Stats columns={4}>
        <Stat label={texts.sends} value={format.number(use.sends)} />
        <Stat label={texts.refusals} value={format.number(refusals)} />
        <Stat
          label={texts.refusedShare}
          value={calls === 0 ? '—' : format.percent(refusals / calls)}
        />
        <Stat label={texts.wrongCodes} value={format.number(use.wrong_codes)} />
      </Stats>
      <UseChart use={use} range={range} refusals={refusals} />
      <Card title={texts.errors}>
        {use.errors.length === 0 ? (
          <p className="text-table text-muted">{texts.noErrors}</p>
        ) : (
          <ErrorList id={id} errors={use.errors} />
        )}
      </Card>
    </>
  );
}

function UseChart({ use, range, refusals }: { use: Use; range: Range; refusals: number }) {
  const texts = useTexts().keys.use;
  const format = useFormat();
  const label = range === '24h' ? format.clock : format.date;
  return (
    <Chart
      title={texts.chart}
      summary={texts.summary(format.number(use.sends), format.number(refusals))}
      kind="columns"
      labels={use.buckets.map(({ at }) => label(at))}
      labelTitle={range === '24h' ? texts.hour : texts.day}
      series={[
        { label: texts.sends, colour: 'brand', values: use.buckets.map(({ sends }) => sends) },
        { label: texts.refusals, colour: 'bad', values: use.buckets.map((one) => one.refusals) },
      ]}
      format={format.number}
    />
  );
}

/** Each error code links to its calls and to its documentation. */
function ErrorList({ id, errors }: { id: number; errors: Use['errors'] }) {
  const texts = useTexts().keys.use;
  const format = useFormat();
  const canSeeCalls = useRight('requests.see');
  return (
    <ul className="grid divide-y divide-hairline text-table">
      {errors.map(({ error_code: code, count }) => (
        <li key={code} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
          <code translate="no" className="grow font-mono text-sm">
            {code}
          </code>
          <strong className="font-medium">{format.number(count)}</strong>
          {canSeeCalls && (
            <Link
              to="/app/requests"
              search={{ key_id: String(id), error_code: code }}
              className="link"
            >
              {texts.calls}
              <span className="sr-only"> {code}</span>
            </Link>
          )}
          <a href={`/docs/errors/${encodeURIComponent(code)}`} className="link">
            {texts.whatToDo}
            <span className="sr-only"> {code}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
