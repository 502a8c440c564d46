import { createRouter } from '@tanstack/react-router';
import { onRefusal } from '../call.ts';
import { clearCache, reloadSession } from '../session.ts';
import { NotFoundPage, PageCrash, PagePending } from './fallbacks.tsx';
import { routeTree } from './routes.ts';
import { parseSearch, stringifySearch } from './search.ts';

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingComponent: PagePending,
  defaultErrorComponent: PageCrash,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

onRefusal.companyClosed = reloadSession;

/** When the session has ended: go to the sign-in page, and return here afterwards. */
onRefusal.notSignedIn = () => {
  const { pathname, href } = router.state.location;
  if (!pathname.startsWith('/app')) return;
  void clearCache().then(() => router.navigate({ to: '/login', search: { back: href } }));
};
