import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { PagePending } from '../app/fallbacks.tsx';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { NoRight } from '../ui/display/empty-state.tsx';

/** Around every page of broadcasts: they wait for their texts. */
export function BroadcastsFrame() {
  const { sections } = useTexts().layout;
  if (!useRight('broadcasts.see')) return <NoRight title={sections.broadcasts} />;
  return (
    <Suspense fallback={<PagePending />}>
      <Outlet />
    </Suspense>
  );
}
