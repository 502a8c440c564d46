import { useQuery } from '@tanstack/react-query';
import { type BalanceState, REFUSALS_COUNTED_MAX } from '@zhiber/contract/cabinet/alerts.ts';
import { OctagonAlert, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { queryOf } from '../queries.ts';
import { reloadSession, useCompany, useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { LinkButton } from '../ui/controls/link-button.tsx';

const REFRESH_MS = 60_000;
/** While nothing is sent, a top-up has to be seen within seconds. */
const REFRESH_STOPPED_MS = 5_000;

/** Says on every page that money stops the sends, or that it soon will. */
export function MoneyBar() {
  const state = useBalanceState();
  if (state === undefined || state.state === 'fine') return null;
  const isStopped = state.state === 'stopped' || state.state === 'owed';
  const Icon = isStopped ? OctagonAlert : TriangleAlert;
  return (
    <div
      role="status"
      className={classes(
        'flex flex-wrap items-center justify-center gap-x-4 gap-y-2 px-4 text-sm',
        isStopped ? 'bg-bad-tint py-2.5 text-bad' : 'bg-warn-tint py-1.5 text-warn',
      )}
    >
      <p className="flex min-w-0 gap-2">
        <Icon aria-hidden="true" size={18} className="mt-px shrink-0" />
        <span className="min-w-0 wrap-anywhere">
          <BarText state={state} />
        </span>
      </p>
      <WayOut state={state} isStopped={isStopped} />
    </div>
  );
}

function BarText({ state: balance }: { state: BalanceState }): ReactNode {
  const texts = useTexts().alerts;
  const format = useFormat();
  const { state, available, cheapest, debt, days_left: days } = balance;
  switch (state) {
    case 'fine':
      return null;
    case 'owed':
      return <strong className="font-medium">{texts.owed(format.money(debt))}</strong>;
    case 'stopped':
      return (
        <>
          <strong className="font-medium">
            {texts.stopped(format.money(available), format.money(cheapest))}
          </strong>{' '}
          <Refused state={balance} />
        </>
      );
    case 'short':
      return texts.short(format.money(available), format.money(cheapest));
    case 'low':
      return `${texts.low(format.money(available))} ${days === null ? '' : texts.lasts(Math.floor(days))}`;
  }
}

function Refused({ state: { refused, refused_since: since } }: { state: BalanceState }): ReactNode {
  const texts = useTexts().alerts;
  const format = useFormat();
  if (since === null) return null;
  const at = format.timeToMinute(since);
  return refused > REFUSALS_COUNTED_MAX
    ? texts.refusedMany(format.number(REFUSALS_COUNTED_MAX), at)
    : texts.refused(refused, format.number(refused), at);
}

/** A button for those who may top up; the others learn whom to ask. */
function WayOut({ state, isStopped }: { state: BalanceState; isStopped: boolean }) {
  const texts = useTexts().alerts;
  const canTopUp = useRight('balance.topup');
  if (canTopUp) {
    return (
      <LinkButton to="/app/balance/topup" look={isStopped ? 'danger' : 'plain'}>
        {texts.topUp}
      </LinkButton>
    );
  }
  return state.ask.length > 0 && <p>{texts.ask(state.ask.join(', '))}</p>;
}

/** Undefined while it is not known, and where the company cannot be used for another reason. */
function useBalanceState(): BalanceState | undefined {
  const { suspended_because: suspended, needs_second_factor: isClosed } = useCompany();
  const canSee = useRight('company.see');
  const { data } = useQuery({
    ...queryOf('balanceState'),
    enabled: canSee && suspended === null && !isClosed,
    staleTime: REFRESH_STOPPED_MS,
    refetchInterval: ({ state }) => (isUrgent(state.data?.state) ? REFRESH_STOPPED_MS : REFRESH_MS),
  });
  const state = data?.state;
  const previous = useRef(state);
  useEffect(() => {
    // The top bar shows the balance of the session.
    if (previous.current !== undefined && previous.current !== state) reloadSession();
    previous.current = state;
  }, [state]);
  return data;
}

function isUrgent(state: BalanceState['state'] | undefined): boolean {
  return state === 'short' || state === 'stopped' || state === 'owed';
}
