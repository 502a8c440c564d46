import type { Logger } from 'pino';
import { AggregatorRegistry, Registry } from 'prom-client';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { FinishedCall } from '../../context.ts';
import { openStorage } from '../../db/open-storage.ts';
import { openOpsServer } from '../../http/transport/ops-server.ts';
import type { Served } from './served.ts';
import { createSupervisor } from './supervisor.ts';

/**
 * The first of several processes: owns the embedded database and the operator's port, and starts the
 * others, each a node of its own. It hands out the connections to the common port in turn, so none is
 * refused while one of them is started again.
 */
export async function openProcesses(config: Config, log: Logger): Promise<Served> {
  const storage = await openStorage(config, config.role === 'worker' ? 'visitor' : 'owner', log);
  const closers: (() => Promise<unknown>)[] = [() => storage.close()];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };
  const ctx: Served['ctx'] = {
    db: storage.db,
    clock: systemClock,
    urls: { publicUrl: '', shortLinkBase: '' },
    onCall: undefined,
  };
  const supervisor = createSupervisor({ log, onCall: (call: FinishedCall) => ctx.onCall?.(call) });
  closers.push(() => supervisor.stop());
  try {
    // The first one finds the port, and makes what a new database lacks.
    const first = await supervisor.start();
    const place = config.port === 0 ? {} : { PORT: String(first.port) };
    await Promise.all(Array.from({ length: config.processes - 1 }, () => supervisor.start(place)));
    ctx.urls.publicUrl = first.publicUrl;
    if (config.opsPort !== undefined) {
      const ops = await openOps(config, { port: config.opsPort, supervisor, isUp: ctx.db.isUp });
      closers.push(() => ops.close());
    }
    const { applied, migrations } = storage.facts;
    return {
      facts: { ...first, applied, migrations, processes: config.processes },
      ctx,
      log: {
        get level() {
          return log.level;
        },
        set level(level) {
          log.level = level;
          supervisor.tellAll({ logLevel: level });
        },
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openOps(
  { opsHost }: Config,
  {
    port,
    supervisor,
    isUp,
  }: {
    port: number;
    supervisor: ReturnType<typeof createSupervisor>;
    isUp(): Promise<boolean>;
  },
) {
  const aggregator = new AggregatorRegistry();
  return await openOpsServer({
    port,
    host: opsHost,
    registry: {
      contentType: Registry.PROMETHEUS_CONTENT_TYPE,
      metrics: () => aggregator.clusterMetrics(),
    },
    readProviders: supervisor.providers,
    isReady: async () => supervisor.running() > 0 && (await isUp()),
  });
}
