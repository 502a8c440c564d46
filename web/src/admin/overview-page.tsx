import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { Card, Facts, Stat } from '../ui/display/card.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { type DeskAnswer, queryOf } from './call.ts';

export function OverviewPage() {
  const { frame, overview: texts } = useAdminTexts();
  const { data, error, refetch } = useQuery(queryOf('overview'));
  return (
    <Page title={frame.sections.overview} lead={texts.lead}>
      {error !== null ? (
        <Failure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <SkeletonCard />
      ) : (
        <Counts counts={data} />
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
    <>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
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
        <Stat
          label={texts.sendsToday}
          value={format.number(counts.sends_today)}
          note={texts.today}
        />
      </div>
      <Card title={texts.toDo}>
        <Facts
          rows={[
            [texts.ordersToConfirm, format.number(counts.orders_to_confirm)],
            [texts.refundsUnderWay, format.number(counts.refunds_under_way)],
            [texts.unhandledNotices, format.number(counts.unhandled_notices)],
          ]}
        />
      </Card>
    </>
  );
}
