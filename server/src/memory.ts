import { createPumpingGuard } from './abuse/pumping.ts';
import { openPriceCache } from './billing/price-cache.ts';
import { UPLOADS_AT_ONCE, WORKBOOKS_AT_ONCE } from './broadcasts/rows/read-xlsx.ts';
import type { ProcessRole } from './config/values.ts';
import type { Context, Memory } from './context.ts';
import { openKeyCache } from './keys/key-cache.ts';
import { openBarredHosts } from './links/barred-host-store.ts';
import { openLinkCache } from './links/follow-short-link.ts';
import { EXPORTS_AT_ONCE } from './messages/export-messages.ts';
import { createSheetDrawer } from './pdf/sheet-drawer.ts';
import { createLiveNodes } from './runtime/live-nodes.ts';
import { createMinuteCounts } from './runtime/minute-counts.ts';
import { createPlaces } from './runtime/places.ts';
import { createSemaphore } from './runtime/semaphore.ts';

/** The in-memory state of a process that has just started. */
export function openMemory(
  { db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>,
  role: ProcessRole = 'all',
): Memory {
  return {
    keys: openKeyCache({ db, clock, log }),
    prices: openPriceCache({ db, clock }),
    links: openLinkCache(db),
    barredHosts: openBarredHosts(db),
    guard: createPumpingGuard(),
    exports: createSemaphore(EXPORTS_AT_ONCE),
    uploads: createPlaces(UPLOADS_AT_ONCE),
    workbooks: createSemaphore(WORKBOOKS_AT_ONCE),
    sheets: createSheetDrawer(),
    usageCounts: new Map(),
    traffic: createMinuteCounts(() => clock.now().getTime()),
    nodes: createLiveNodes(role),
    statusPage: { snapshot: undefined },
    demo: undefined,
  };
}
