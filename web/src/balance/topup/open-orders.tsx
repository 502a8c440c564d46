import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../queries.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Card } from '../../ui/display/card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { TopupStateChip } from '../../ui/display/topup-state.tsx';

const REFRESH_MS = 10_000;

/** Top-ups that wait for a payment or for its check; nothing where there are none. */
export function OpenOrders() {
  const texts = useTexts().topup;
  const format = useFormat();
  const { data } = useQuery({
    ...queryOf('topups', { query: { is_open: true } }),
    refetchInterval: REFRESH_MS,
  });
  const rows = data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <Card title={texts.open}>
      <ul className="grid divide-y divide-hairline">
        {rows.map((order) => (
          <li
            key={order.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
          >
            <div className="grid gap-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <strong className="whitespace-nowrap">{format.money(order.amount)}</strong>
                <TopupStateChip state={order.state} />
              </p>
              <p className="text-sm text-muted">
                {texts.providers[order.provider]} · <Time at={order.created_at} as="timeToMinute" />{' '}
                · <span className="whitespace-nowrap">{order.reference}</span>
              </p>
            </div>
            <LinkButton
              to="/app/balance/topup/$id"
              params={{ id: order.id }}
              aria-label={texts.continueOf(format.money(order.amount), order.reference ?? '')}
            >
              {texts.continue}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}
