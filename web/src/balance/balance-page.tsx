import { useQuery } from '@tanstack/react-query';
import { Plus, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { Stat } from '../ui/display/card.tsx';
import { CountingChip, whileCounting } from '../ui/display/counting-chip.tsx';
import { NoRight } from '../ui/display/empty-state.tsx';
import { Failure } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { AlertsCard } from './alerts/alerts-card.tsx';
import { Ledger } from './ledger.tsx';
import { ReceiptsCard } from './papers/receipts-card.tsx';
import { PricesCard } from './prices-card.tsx';
import { Spend } from './spend.tsx';
import { OpenOrders } from './topup/open-orders.tsx';

const REFRESH_MS = 60_000;

/** What is left, what it is spent on, and every entry of the ledger. */
export function BalancePage() {
  const texts = useTexts().balance;
  const canSee = useRight('balance.see');
  const canTopUp = useRight('balance.topup');
  if (!canSee) return <NoRight title={texts.title} />;
  return (
    <Page
      title={texts.title}
      actions={
        canTopUp && (
          <LinkButton
            to="/app/balance/topup"
            look="primary"
            icon={<Plus aria-hidden="true" size={16} />}
          >
            {texts.topUp}
          </LinkButton>
        )
      }
    >
      <Figures />
      <OpenOrders />
      <Prices />
      <div className="mt-3 grid min-w-0 gap-8">
        <Spend />
        <ReceiptsCard />
        <AlertsCard />
        <Ledger />
      </div>
    </Page>
  );
}

function Figures() {
  const { data, error, refetch } = useQuery({
    ...queryOf('balance'),
    refetchInterval: whileCounting(REFRESH_MS),
  });
  if (data === undefined) {
    return error === null ? <Waiting /> : <Failure error={error} onRetry={refetch} />;
  }
  return (
    <>
      {data.debt > 0 && <DebtNote debt={data.debt} />}
      <CountingChip hours={data.hours_to_count} />
      <div className="grid grid-cols-2 gap-3 max-xl:[&>:last-child]:col-span-2 sm:gap-4 xl:grid-cols-[1.4fr_1.3fr_1fr_1fr]">
        <Available figures={data} />
        <Runway days={data.days_left} />
        <Spent figures={data} />
      </div>
    </>
  );
}

function Prices() {
  const { data } = useQuery(queryOf('balance'));
  return data !== undefined && <PricesCard prices={data.prices} />;
}

function DebtNote({ debt }: { debt: number }) {
  const texts = useTexts().balance;
  const format = useFormat();
  return (
    <div role="status" className="flex gap-2.5 rounded-card bg-bad-tint p-4 text-table text-bad">
      <TriangleAlert aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
      <p>
        <strong>{texts.debt(format.money(debt))}</strong> {texts.debtNote}
      </p>
    </div>
  );
}

type FiguresProps = { figures: Answer<'balance'> };

function Available({ figures }: FiguresProps) {
  const texts = useTexts().balance;
  const format = useFormat();
  return (
    <section className="grid content-start gap-0.5 rounded-card border border-hairline bg-surface p-4 max-xl:col-span-2">
      <h2 className="text-sm font-normal text-muted">{texts.available}</h2>
      <p className="text-3xl font-semibold tracking-tight">{format.money(figures.available)}</p>
      <p className="text-sm text-muted">
        {figures.held > 0 && `${texts.held(format.money(figures.held))} `}
        {texts.token}
      </p>
    </section>
  );
}

function Runway({ days }: { days: number | null }) {
  const texts = useTexts().balance;
  return (
    <Stat
      label={texts.runway}
      value={days === null ? '—' : texts.days(Math.floor(days))}
      note={days === null ? texts.noSpending : texts.runwayNote}
    />
  );
}

function Spent({ figures }: FiguresProps): ReactNode {
  const texts = useTexts().balance;
  const format = useFormat();
  return (
    <>
      <Stat label={texts.spentToday} value={format.money(figures.spent_today)} />
      <Stat label={texts.spentMonth} value={format.money(figures.spent_month)} />
    </>
  );
}

function Waiting() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <SkeletonCard />
      <SkeletonCard />
      <SkeletonCard />
      <SkeletonCard />
    </div>
  );
}
