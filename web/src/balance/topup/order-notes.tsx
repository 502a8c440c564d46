import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Card } from '../../ui/display/card.tsx';
import { CopiedFacts } from './copied-facts.tsx';
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
        {isManual && <p className="text-muted">{texts.manualAsk}</p>}
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
          <AgainButton order={order} label={order.qr === null ? texts.again : texts.newQr} isMain />
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
    <CopiedFacts
      rows={[
        { name: texts.toPay, shown: format.money(order.amount) },
        { name: texts.provider, shown: texts.providers[order.provider] },
        { name: texts.reference, shown: order.reference, copyLabel: texts.copyReference },
      ]}
    />
  );
}
