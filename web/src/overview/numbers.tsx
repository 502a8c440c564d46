import { Link } from '@tanstack/react-router';
import type { Answer } from '../call.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Stat } from '../ui/display/card.tsx';
import { growth } from './series.ts';
import { almatyWeekday } from './weekday.ts';

const COMPARED_MIN = 10;

/** The balance and how long it lasts; today's sends compared with a week ago. */
export function Numbers({ overview }: { overview: Answer<'overview'> }) {
  const { today, steps } = overview;
  const hasSends = steps.has_test_send || steps.has_live_send;
  return (
    <div className={hasSends ? 'grid grid-cols-2 gap-4 lg:grid-cols-[2fr_1fr_1fr]' : 'grid'}>
      <Balance overview={overview} />
      {hasSends && <Today today={today} />}
      {hasSends && <Confirmed today={today} />}
    </div>
  );
}

function Balance({ overview }: { overview: Answer<'overview'> }) {
  const texts = useTexts().overview;
  const format = useFormat();
  const { balance, held, days_left: days, prices } = overview;
  const canSeeBalance = useRight('balance.see');
  const free = Math.max(0, balance - held);
  const messenger = Math.max(1, Math.min(prices.whatsapp, prices.telegram));
  return (
    <section className="col-span-full grid content-start gap-1 rounded-card border border-hairline bg-surface p-5 lg:col-span-1">
      <h2 className="text-sm font-normal text-muted">{texts.balance}</h2>
      <p className="text-3xl font-semibold tracking-tight">
        {canSeeBalance ? (
          <Link to="/app/balance" className="hover:underline">
            {format.money(balance)}
          </Link>
        ) : (
          format.money(balance)
        )}
      </p>
      <p className="text-table">
        {texts.lasts(
          Math.floor(free / messenger),
          Math.floor(free / Math.max(1, prices.sms)),
          format.number,
        )}
      </p>
      <p className="text-sm text-muted">
        {days === null ? texts.noSpending : texts.daysLeft(Math.floor(days), format.number)}
        {held > 0 && ` ${texts.held(format.money(held))}`}
      </p>
    </section>
  );
}

function Today({ today }: { today: Answer<'overview'>['today'] }) {
  const texts = useTexts().overview;
  const format = useFormat();
  const { sends, same_day_last_week: then } = today;
  // Of a handful of messages a percentage says nothing.
  const change = then < COMPARED_MIN ? undefined : growth(sends, then);
  const sign = change !== undefined && change > 0 ? '+' : '';
  return (
    <Stat
      label={texts.today}
      value={format.number(sends)}
      note={
        <>
          {texts.weekAgo(format.number(then), almatyWeekday(Date.now()))}
          {change !== undefined && ` (${sign}${format.percent(change)})`}
        </>
      }
    />
  );
}

function Confirmed({ today }: { today: Answer<'overview'>['today'] }) {
  const texts = useTexts().overview;
  const format = useFormat();
  const { sends, confirmed } = today;
  return (
    <Stat
      label={texts.confirmedToday}
      value={sends === 0 ? '—' : format.percent(Math.min(1, confirmed / sends))}
      note={texts.confirmedOf(format.number(confirmed), format.number(sends))}
    />
  );
}
