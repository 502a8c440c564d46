import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Stat, Stats } from '../ui/display/card.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { type DeskAnswer, queryOf } from './call.ts';
import { ChannelQuality } from './channels/channel-quality.tsx';
import { WaitingDecisions } from './overview/waiting-decisions.tsx';
import { WeekFigures } from './overview/week-figures.tsx';

const REFRESH_MS = 15_000;

export function OverviewPage() {
  const { frame, overview: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery({
    ...queryOf('overview'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title={frame.sections.overview} lead={texts.lead}>
      {data === undefined && error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonCard />}
      {data !== undefined && (
        <>
          <WaitingDecisions counts={data} />
          <Counts counts={data} />
          <ChannelQuality />
          <WeekFigures />
        </>
      )}
    </Page>
  );
}

function Counts({ counts }: { counts: DeskAnswer<'overview'> }) {
  const texts = useAdminTexts().overview;
  const format = useFormat();
  const { debt, held, suspended_companies: suspended } = counts;
  const money = [
    held > 0 && texts.held(format.money(held)),
    debt > 0 && texts.debt(format.money(debt)),
  ].filter((note) => note !== false);
  return (
    <Stats columns={3}>
      <Stat
        label={texts.companies}
        value={format.number(counts.companies)}
        note={suspended > 0 ? texts.suspended(format.number(suspended)) : undefined}
      />
      <Stat
        label={texts.balance}
        value={format.money(counts.balance)}
        note={money.length > 0 ? money.join(' · ') : undefined}
      />
      <Stat label={texts.sendsToday} value={format.number(counts.sends_today)} note={texts.today} />
    </Stats>
  );
}
