import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { openChannels, type Providers } from './channels/open-channels.ts';
import { systemClock } from './clock.ts';
import { type DemoKeys, findDemo, openDemo } from './company/demo-company.ts';
import { openSecrets } from './company/open-secrets.ts';
import { type Config, localUrl } from './config/config.ts';
import type { Context } from './context.ts';
import { openStorage, type Storage } from './db/open-storage.ts';
import { recordReceipt } from './delivery/receipts/record-receipt.ts';
import { startWatch } from './delivery/watch.ts';
import { insertGroup } from './group/group-store.ts';
import { startGuard } from './guard/guard-rounds.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { createSandbox } from './sandbox/sandbox.ts';

export type App = {
  ctx: Context;
  http: HttpServer;
  facts: Storage['facts'] & { port: number; isOtherPort: boolean };
  /** Of a demo company made by this very start. */
  demoKeys: DemoKeys | undefined;
  /** Finishes what is under way, then closes everything in reverse order. */
  stop(): Promise<void>;
};

export class PortTaken extends Error {}

const OTHER_PORTS_MAX = 20;

/** The whole service, read aloud: storage, channels, secrets, jobs, guard, http, watch, demo. */
export async function openApp(
  config: Config,
  log: Logger,
  providers: Providers = {},
): Promise<App> {
  const storage = await openStorage(config, 'owner', log);
  const closers: (() => Promise<unknown>)[] = [() => storage.close()];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };

  try {
    const sandbox = createSandbox(systemClock);
    const ctx: Context = {
      config,
      db: storage.db,
      channels: openChannels(sandbox.adapters, providers),
      secrets: await openSecrets(config, storage.db),
      clock: systemClock,
      log,
      urls: { publicUrl: '', shortLinkBase: '' },
    };
    sandbox.onReceipt((report) => recordReceipt(ctx, report));
    closers.push(async () => sandbox.stop());

    const jobs = await runJobs(ctx, storage.connection);
    closers.push(() => jobs.stop());
    const guard = await startGuard(ctx);
    closers.push(() => guard.stop());
    const http = createHttpServer(ctx, sandbox);
    const port = await listen(http, config);
    closers.push(() => http.close());
    Object.assign(ctx.urls, urlsOf(config, port));
    const watch = startWatch(ctx);
    closers.push(() => watch.stop());
    // Last, because its keys are shown once: a start that fails must not have used that up.
    const demoKeys = ctx.channels.isSandbox ? await openDemo(ctx) : undefined;
    if (demoKeys !== undefined) await linkDemoGroup(ctx);

    const isOtherPort = config.port !== 0 && port !== config.port;
    return {
      ctx,
      http,
      facts: { ...storage.facts, port, isOtherPort },
      demoKeys,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** So that posting to a group can be tried at once as well. */
async function linkDemoGroup(ctx: Context): Promise<void> {
  const demo = findDemo(ctx);
  if (demo === undefined) return;
  const { companyId } = demo;
  await insertGroup(ctx.db, { companyId, channel: 'telegram', name: 'Дежурные', chatId: '-1001' });
}

/**
 * A port that somebody chose is theirs or nobody's; the default one gives way to the next free one.
 */
async function listen(http: HttpServer, config: Config): Promise<number> {
  const portsMax = config.portWasSet ? 1 : OTHER_PORTS_MAX;
  for (let offset = 0; offset < portsMax; offset++) {
    try {
      await http.listen({ port: config.port === 0 ? 0 : config.port + offset, host: config.host });
      return (http.server.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new PortTaken(
    `Port ${config.port} is taken by another program. Stop it, or set PORT to a free one.`,
  );
}

function urlsOf(config: Config, port: number): Context['urls'] {
  const publicUrl = config.publicUrl ?? localUrl(config.host, port);
  return { publicUrl, shortLinkBase: config.shortLinkBase ?? `${publicUrl}/s` };
}
