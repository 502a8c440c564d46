import { localUrl } from '../config/config.ts';
import type { Context } from '../context.ts';
import { logUnlessAway } from '../db/sql-errors.ts';
import { type Repetition, repeatEvery } from '../runtime/repeat.ts';
import { probe } from '../status/probe.ts';
import { refreshSnapshot } from '../status/refresh-snapshot.ts';
import { saveMeasured } from '../status/save-measured.ts';

/** What a reader of the status page sees is at most so old. */
const REFRESH_MS = 5_000;
/** Three a minute, so that one lost answer does not make an outage. */
const PROBE_MS = 20_000;

/** A name that nobody can have: looking it up asks the database, and finds nothing. */
const RESERVED_NAME = 'status';

/**
 * Keeps the status page up to date: probes this node over its own port, saves what was measured and
 * reads the snapshot. A worker has no port, and probes nothing.
 */
export async function startStatus(ctx: Context, port: number | undefined): Promise<Repetition> {
  const report = logUnlessAway(ctx.log, 'the status page was not renewed');
  const save = saveMeasured(ctx);
  const renew = async () => {
    await save().catch(report);
    await refreshSnapshot(ctx);
  };
  await renew().catch(report);
  const renewal = repeatEvery({
    pauseMs: REFRESH_MS,
    onError: report,
    async run() {
      await renew();
      return false;
    },
  });
  const probes = port === undefined ? undefined : startProbes(ctx, port);
  return {
    async stop() {
      await probes?.stop();
      await renewal.stop();
      await save().catch(report);
    },
  };
}

/** The first one at once: until then nothing is known of this node. */
function startProbes(ctx: Context, port: number): Repetition {
  const report = (error: unknown) =>
    ctx.log.error({ err: error }, 'the probes of this node failed');
  const first = probeNode(ctx, port).catch(report);
  const repetition = repeatEvery({
    pauseMs: PROBE_MS,
    onError: report,
    async run() {
      await probeNode(ctx, port);
      return false;
    },
  });
  return {
    async stop() {
      await first;
      await repetition.stop();
    },
  };
}

/** Asks this node as a customer would, and counts the answers. */
export async function probeNode(ctx: Context, port: number): Promise<void> {
  const site = localUrl(ctx.config.host, port);
  const base = new URL(ctx.urls.shortLinkBase);
  const folder = base.pathname.replace(/\/$/, '');
  const [health, page, link] = await Promise.all([
    probe(`${site}/api/health`),
    probe(`${site}/login`),
    probe(`${site}${folder}/${RESERVED_NAME}`, { method: 'HEAD', host: base.host }),
  ]);
  ctx.traffic.add('api', 'probe', health === 200);
  // Its pages are of no use without what they call.
  ctx.traffic.add('cabinet', 'probe', health === 200 && page === 200);
  ctx.traffic.add('links', 'probe', link === 404);
}
