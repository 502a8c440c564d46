import { type AnyRoute, type AnyRouter, useRouter } from '@tanstack/react-router';
import type { Right } from '@zhiber/contract/cabinet/rights.ts';
import { useEffect } from 'react';
import { readConnection } from '../connection.ts';
import { queryClient } from '../queries.ts';
import { useSession } from '../session.ts';
import { loadLaterTexts } from '../texts/load-texts.ts';
import { useLang } from '../texts/use-texts.tsx';
import { loadPlot } from '../ui/chart/lazy-plot.tsx';
import { loadIdentityDialog } from './identity-gate.tsx';
import { loadPalette } from './palette-button.tsx';
import { SECTION_GROUPS } from './sections.ts';

/** How often it is looked whether the network is idle. */
const LOOK_AGAIN_MS = 500;
/** Pages of the cabinet that are no section: everybody has them. */
const FOR_EVERYBODY = ['profile'];

type Task = () => Promise<unknown> | undefined;

/** Starts to load the code of the page at this address, beside what else is loading. */
export function preloadPage(router: AnyRouter, pathname: string): void {
  const [matchedRoutes] = router.getMatchedRoutes(pathname);
  for (const route of matchedRoutes) preloadRoute(route)?.catch(ignore);
}

/**
 * After the first page is drawn and nothing is loading, gets the code of all pages that the reader
 * may open: they open at once, and also without a connection.
 */
export function usePagesPreloaded(): void {
  const router = useRouter();
  const { lang } = useLang();
  const { company } = useSession();
  const rights = company?.rights.join() ?? '';
  useEffect(() => {
    if (isDataSaved()) return;
    const readable = rights.split(',') as Right[];
    const tasks: Task[] = [
      () => loadLaterTexts(lang),
      loadPalette,
      loadPlot,
      loadIdentityDialog,
      ...pageRoutes(router, readable).map((route) => () => preloadRoute(route)),
    ];
    return runWhenIdle(tasks);
  }, [router, lang, rights]);
}

function preloadRoute(route: AnyRoute): Promise<void> | undefined {
  const component = route.options.component as { preload?: () => Promise<void> } | undefined;
  return component?.preload?.();
}

function pageRoutes(router: AnyRouter, rights: readonly Right[]): AnyRoute[] {
  const sections = SECTION_GROUPS.flat().filter(({ right }) => rights.includes(right));
  const names = [...sections.map(({ to }) => to.split('/')[2] ?? ''), ...FOR_EVERYBODY];
  const isOpen = ({ fullPath }: AnyRoute) => {
    const [, first, section = ''] = fullPath.split('/');
    return first === 'app' && names.includes(section);
  };
  return Object.values<AnyRoute>(router.routesById).filter(isOpen);
}

/** One task after the other, each when the browser has nothing to do and no query is under way. */
function runWhenIdle(tasks: readonly Task[]): () => void {
  const waiting = [...tasks];
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    timer = setTimeout(next, LOOK_AGAIN_MS);
  };
  const next = () => {
    if (isStopped) return;
    const { isLost, hasNewBuild } = readConnection();
    if (hasNewBuild) return;
    if (isLost || queryClient.isFetching() > 0) return later();
    whenIdle(() => {
      const task = isStopped ? undefined : waiting.shift();
      if (task === undefined) return;
      void Promise.resolve(task()).catch(ignore).then(next);
    });
  };
  later();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Safari has no `requestIdleCallback`. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5_000 });
  else setTimeout(run, 50);
}

function isDataSaved(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Opening the page will say what is wrong. */
function ignore(): void {}
