import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PagePending } from '../app/fallbacks.tsx';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { NoRight } from '../ui/display/empty-state.tsx';

/** Around every page of webhooks: they wait for their texts. */
export function WebhooksFrame() {
  const { sections } = useTexts().layout;
  if (!useRight('webhooks.see')) return <NoRight title={sections.webhooks} />;
  return (
    <Suspense fallback={<PagePending />}>
      <Outlet />
    </Suspense>
  );
}
