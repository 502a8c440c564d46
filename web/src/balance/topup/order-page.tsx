import { useParams } from '@tanstack/react-router';
import { WifiOff } from 'lucide-react';
import { useRight } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Chip } from '../../ui/display/chip.tsx';
import { NoRight } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { TopupStateChip } from '../../ui/display/topup-state.tsx';
import { CheckedOrder, EndedOrder } from './order-notes.tsx';
import { PaidOrder } from './paid-order.tsx';
import { PendingOrder } from './pending-order.tsx';
import { ToBalance } from './to-balance.tsx';
import { useTopup } from './use-topup.ts';

/** One top-up from the QR to the receipt. It can be left and opened again at any time. */
export function OrderPage() {
  const texts = useTexts().topup;
  return useRight('balance.see') ? <OneOrder /> : <NoRight title={texts.title} />;
}

function OneOrder() {
  const { id } = useParams({ from: '/app/balance/topup/$id' });
  const texts = useTexts().topup;
  const format = useFormat();
  const { data: order, dataUpdatedAt, error, refetch } = useTopup(id);
  const title = order === undefined ? texts.title : texts.orderTitle(format.money(order.amount));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ToBalance />
      <Page
        title={title}
        isNarrow
        lead={order?.state === 'pending' && <TopupStateChip state={order.state} />}
      >
        {order === undefined && error !== null && <Failure error={error} onRetry={refetch} />}
        {order === undefined && error === null && <SkeletonCard lines={6} />}
        {order !== undefined && error !== null && (
          <p role="status">
            <Chip tone="warn" icon={WifiOff}>
              {texts.noConnection}
            </Chip>
          </p>
        )}
        {order?.state === 'pending' && <PendingOrder order={order} readAt={dataUpdatedAt} />}
        {(order?.state === 'checking' || order?.state === 'manual') && (
          <CheckedOrder order={order} />
        )}
        {order?.state === 'paid' && <PaidOrder order={order} />}
        {(order?.state === 'expired' || order?.state === 'cancelled') && (
          <EndedOrder order={order} />
        )}
      </Page>
    </div>
  );
}
