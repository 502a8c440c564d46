import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Card, Facts } from '../ui/display/card.tsx';
import { AgainButton, ClaimButton } from './order-actions.tsx';
import type { Topup } from './use-topup.ts';

/** The payer says that it is paid: what happens now. */
export function CheckedOrder({ order }: { order: Topup }) {
  const texts = useTexts().topup;
  const isManual = order.state === 'manual';
  return (
    <Card title={texts.states[order.state]}>
      <div className="grid gap-4 text-table">
        <p>{isManual ? texts.manualNote : texts.checkingNote}</p>
        <OrderFacts order={order} />
        {isManual && <p className="text-muted">{texts.manualAsk(order.reference)}</p>}
      </div>
    </Card>
  );
}

/** Expired or cancelled. Money that comes all the same is credited. */
export function EndedOrder({ order }: { order: Topup }) {
  const texts = useTexts().topup;
  const isExpired = order.state === 'expired';
  return (
    <Card title={texts.states[order.state]}>
      <div className="grid gap-4 text-table">
        <p>{isExpired ? texts.expiredNote : texts.cancelledNote}</p>
        <OrderFacts order={order} />
        <div className="flex flex-wrap gap-2">
          <AgainButton order={order} label={isExpired ? texts.newQr : texts.again} isMain />
          {isExpired && order.can_claim && <ClaimButton id={order.id} look="plain" />}
        </div>
      </div>
    </Card>
  );
}

function OrderFacts({ order }: { order: Topup }) {
  const texts = useTexts().topup;
  const format = useFormat();
  return (
    <Facts
      rows={[
        [texts.toPay, format.money(order.amount)],
        [texts.provider, texts.providers[order.provider]],
        [
          texts.reference,
          <span key="reference" className="flex flex-wrap items-center gap-1">
            <span translate="no" className="font-medium">
              {order.reference}
            </span>
            <CopyButton isIcon text={order.reference} label={texts.copyReference} />
          </span>,
        ],
      ]}
    />
  );
}
