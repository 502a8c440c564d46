import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { EmptyState, NoRight } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Page } from '../../ui/display/page.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { OpenOrders } from './open-orders.tsx';
import { ToBalance } from './to-balance.tsx';
import { TopupForm } from './topup-form.tsx';

export function TopupPage() {
  const texts = useTexts().topup;
  return useRight('balance.topup') ? <NewTopup /> : <NoRight title={texts.title} />;
}

function NewTopup() {
  const texts = useTexts().topup;
  const { data: options, error, refetch } = useQuery(queryOf('topupOptions'));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <ToBalance />
      <Page title={texts.title} isNarrow>
        {error !== null && <Failure error={error} onRetry={refetch} />}
        {error === null && options === undefined && <SkeletonCard lines={6} />}
        {options?.providers.length === 0 && (
          <EmptyState kind="first-use" title={texts.closed}>
            {texts.closedNote}
          </EmptyState>
        )}
        {options !== undefined && options.providers.length > 0 && <TopupForm options={options} />}
        <OpenOrders />
      </Page>
    </div>
  );
}
