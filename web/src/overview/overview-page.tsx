import { useQuery } from '@tanstack/react-query';
import { OVERVIEW_RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import { Clock } from 'lucide-react';
import { oneOf, useFilters } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { CountingChip, whileCounting } from '../ui/display/counting-chip.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastMessages } from './last-messages.tsx';
import { NameQuestion } from './name-question.tsx';
import { Numbers } from './numbers.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { Problems } from './problems.tsx';

const REFRESH_MS = 60_000;
const FILTERS = { range: oneOf(OVERVIEW_RANGES), mode: oneOf(['live', 'test']) };

/** Answers two questions: does everything work, and is the balance sufficient. */
export function OverviewPage() {
  const texts = useTexts().overview;
  const { filters, setFilters } = useFilters(FILTERS);
  const range = filters.range ?? '24h';
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...queryOf('overview', { query: { range, mode: filters.mode } }),
    refetchInterval: whileCounting(REFRESH_MS),
  });
  return (
    <Page title={texts.title}>
      {data === undefined && error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <Waiting />}
      {data !== undefined && (
        <>
          {error !== null && <StaleChip at={dataUpdatedAt} />}
          <CountingChip hours={data.hours_to_count} />
          <Numbers overview={data} />
          <NameQuestion />
          <Problems problems={data.problems} />
          <FirstSteps steps={data.steps} />
          <OverviewCharts overview={data} range={range} mode={filters.mode} onChoose={setFilters} />
          <LastMessages />
        </>
      )}
    </Page>
  );
}

/** Shown when a refetch failed and the numbers are from an earlier time. */
function StaleChip({ at }: { at: number }) {
  const texts = useTexts().overview;
  const format = useFormat();
  return (
    <p role="status">
      <Chip tone="warn" icon={Clock}>
        {texts.staleSince(format.clock(at))}
      </Chip>
    </p>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <SkeletonCard />
      <SkeletonCard />
      <SkeletonCard />
    </div>
  );
}
