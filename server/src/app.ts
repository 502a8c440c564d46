import type { AddressInfo } from 'node:net';
import { GROUP_CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Logger } from 'pino';
import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { startGuard } from './abuse/guard-rounds.ts';
import { openAccounts } from './accounts/accounts.ts';
import { createBackupMetrics } from './backups/backup-metrics.ts';
import { startBroadcasts } from './broadcasts/run/run-broadcasts.ts';
import { recordStop } from './broadcasts/unsubscribe/record-stop.ts';
import type { ProviderIds } from './channels/combine-providers.ts';
import { connectProviders } from './channels/connect.ts';
import { type AdaptersByChannel, openChannels } from './channels/open-channels.ts';
import type { Contact, Provider, Stop } from './channels/provider.ts';
import { createProviderMetrics, type ProviderMetrics } from './channels/provider-metrics.ts';
import { type AcceptedSms, createSmsRouting } from './channels/sms/sms-routing.ts';
import { systemClock } from './clock.ts';
import { type Config, localUrl, shortLinkBaseOf } from './config/config.ts';
import { findTelegramChat, isWhatsappWindowOpen, recordContact } from './contacts/contact-store.ts';
import type { Context } from './context.ts';
import { openJobQueue } from './db/job-queue.ts';
import { openStorage, type Storage } from './db/open-storage.ts';
import { rememberIds } from './delivery/provider-id-store.ts';
import { recordReceipt, recordReport } from './delivery/record-receipt.ts';
import { openRefusals } from './delivery/refusals.ts';
import { findPorted, recordSms } from './delivery/sms-route-store.ts';
import { startWatch } from './delivery/watch.ts';
import { insertGroup } from './groups/group-store.ts';
import { type OpsServer, openOpsServer } from './http/transport/ops-server.ts';
import { PortTaken } from './http/transport/port-taken.ts';
import { createHttpServer, type HttpServer } from './http/transport/server.ts';
import { type DemoKeys, openDemo } from './installation/demo-company.ts';
import { openMode, refuseOpenSandbox } from './installation/mode.ts';
import { openSecrets } from './installation/open-secrets.ts';
import { watchTimeline } from './installation/watch-timeline.ts';
import { startStatus } from './jobs/keep-status.ts';
import { startSmsRouting } from './jobs/refresh-sms-routing.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { startBalanceWatch } from './jobs/watch-balances.ts';
import { startProviderBalances } from './jobs/watch-provider-balances.ts';
import { openLocations } from './links/locations.ts';
import { openMailer } from './mail/mailer.ts';
import { openMemory } from './memory.ts';
import { reportVerifiedTo } from './otp/report-verified.ts';
import { startFiscalReceipts } from './papers/register-receipts.ts';
import { openFiscalRegister } from './payments/open-fiscal.ts';
import { openPayments } from './payments/open-payments.ts';
import type { Phone } from './phone.ts';
import { openBackground } from './runtime/background.ts';
import type { Tracer } from './runtime/tracer.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { shareNews } from './sandbox/share-news.ts';
import { countOutcomes } from './status/count-outcomes.ts';
import { startHeartbeat } from './status/heartbeat.ts';
import { createServiceMetrics } from './status/service-metrics.ts';
import { startPaymentWatch } from './topups/watch-payments.ts';
import { VERSION } from './version.ts';
import { startWebhooks } from './webhooks/deliver-webhooks.ts';
import { createWebhookMetrics } from './webhooks/webhook-metrics.ts';

export type App = {
  ctx: Context;
  http: HttpServer;
  facts: Storage['facts'] & { port: number; isOtherPort: boolean };
  /** The keys of the demo company, when this start created it. */
  demoKeys: DemoKeys | undefined;
  /** Finishes the work under way, then closes everything in reverse order. */
  stop(): Promise<void>;
};

export type OpenOptions = {
  /** Tests inject them in place of the configured providers. */
  adapters?: AdaptersByChannel;
  /** This is one of several processes on one port. */
  isOneOfMany?: boolean;
};

const OTHER_PORTS_MAX = 20;
/** A page waits for the name, and can be shown without it. */
const GROUP_ACCOUNT_LIMIT_MS = 1_500;

/**
 * Opens the whole service in order: storage, secrets, channels, payments, refusals, jobs, guard,
 * background work, mail, accounts, http, the operator's port, watches, fiscal receipts, demo.
 */
export async function openApp(
  config: Config,
  log: Logger,
  { adapters, isOneOfMany = false }: OpenOptions = {},
): Promise<App> {
  refuseOpenSandbox(config);
  // A worker beside a server on the same machine joins its database, and so does one of several
  // processes: the one that has started them owns it.
  const isVisitor = isOneOfMany || config.role === 'worker';
  const storage = await openStorage(config, isVisitor ? 'visitor' : 'owner', log);
  const closers: (() => Promise<unknown>)[] = [() => storage.close()];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };

  try {
    const sandbox = createSandbox(systemClock);
    const registry = new Registry();
    const metrics = createProviderMetrics(registry);
    const urls: Context['urls'] = { publicUrl: '', shortLinkBase: '' };
    const { db, bulk, reads } = storage;
    // An embedded database has no standby.
    if (config.databaseUrl !== undefined) {
      const timeline = await watchTimeline([db, bulk], { dataDir: config.dataDir, log });
      closers.push(() => timeline.stop());
    }
    // Tests inject adapters in place of real providers.
    await openMode(config, adapters === undefined ? config.mode : 'live', db);
    const { fallbacks, background } = openBackground(log);
    const tracer = await openTracing(config, log);
    if (tracer !== undefined) closers.push(() => tracer.close());
    const smsRouting = createSmsRouting(
      { routing: config.smsRouting, routes: config.smsRoutes },
      { findPorted: (phone) => db.inGroup(findPorted, phone), random: Math.random },
    );
    const secrets = await openSecrets(config, db);
    const memory = openMemory({ db, clock: systemClock, log }, config.role);
    const connected = connectProviders(config.providers, {
      ...providerDeps({ db, log, urls, background }),
      smsRouting,
      metrics,
      holder: { db, log, nodes: memory.nodes, secrets },
      tracer,
    });
    closers.push(() => connected.close());
    const serviceMetrics =
      config.opsPort === undefined
        ? undefined
        : createServiceMetrics(registry, {
            db,
            nodes: memory.nodes,
            nowMs: () => systemClock.now().getTime(),
          });
    const channels = openChannels(
      sandbox.adapters,
      adapters ?? connected.channels,
      countOutcomes(memory),
    );
    const payments = await openPayments(config.payments, {
      isSandbox: channels.isSandbox,
      bank: { db, clock: systemClock, secrets },
      log,
      publicUrl: () => urls.publicUrl,
    });
    closers.push(() => payments.close());
    // Stopped after the HTTP server, whose requests add refusals.
    const refusals = await openRefusals({ config, db, log });
    closers.push(() => refusals.stop());
    const ctx: Context = {
      ...memory,
      config,
      db,
      bulk,
      reads,
      channels,
      payments: payments.providers,
      providers: { all: connected.providers, read: metrics.read },
      locations: openLocations(config.geoDatabases, log),
      jobs: openJobQueue(storage.connection, log),
      secrets,
      clock: systemClock,
      log,
      fallbacks,
      background,
      refusals,
      urls,
      onVerified: reportVerifiedTo(connected.providers, { db, log, background }),
      groupAccounts: createGroupAccounts(connected.providers),
      metrics: serviceMetrics,
      tracer,
    };
    sandbox.onReceipt((report) => recordReceipt(ctx, report));
    closers.push(async () => sandbox.stop());

    // Before the first request: limits are divided by the nodes that run.
    const heartbeat = await startHeartbeat(ctx);
    closers.push(() => heartbeat.stop());
    const sharing = shareNews({ sql: db, nodes: ctx.nodes, secrets, log, sandbox });
    closers.push(() => sharing.stop());
    const jobs = await runJobs(ctx);
    closers.push(() => jobs.stop());
    const guard = await startGuard(ctx);
    closers.push(() => guard.stop());
    // Closed before the guard that counts their sends, and before the providers and the database.
    closers.push(() => Promise.all([fallbacks.close(), background.close()]));
    const mailer = openMailer(ctx, sandbox);
    closers.push(() => mailer.close());
    const accounts = openAccounts(ctx, mailer);
    const http = createHttpServer(ctx, sandbox, connected.providers, accounts);
    const port = config.role === 'worker' ? config.port : await listen(http, config);
    closers.push(() => http.close());
    Object.assign(urls, urlsOf(config, port));
    for (const provider of connected.providers) {
      provider.start?.((report) => recordReport(ctx, provider.name, report));
    }
    const ops = await openOps(ctx, { registry, metrics, isOneOfMany });
    if (ops !== undefined) closers.push(() => ops.close());
    if (serviceMetrics !== undefined) {
      createBackupMetrics(registry, db);
      const balancesLeft = startProviderBalances({ ...ctx, metrics: serviceMetrics });
      closers.push(() => balancesLeft.stop());
    }
    const status = await startStatus(ctx, config.role === 'worker' ? undefined : port);
    closers.push(() => status.stop());
    const watch = startWatch(ctx);
    closers.push(() => watch.stop());
    const broadcasts = startBroadcasts(ctx);
    closers.push(() => broadcasts.stop());
    const webhooks = startWebhooks(ctx, { mailer, onTry: createWebhookMetrics(registry) });
    closers.push(() => webhooks.stop());
    const paymentWatch = startPaymentWatch(ctx);
    closers.push(() => paymentWatch.stop());
    const routing = startSmsRouting(ctx, smsRouting);
    closers.push(() => routing.stop());
    const balances = startBalanceWatch(accounts);
    closers.push(() => balances.stop());
    const register = openFiscalRegister(config.payments, ctx.channels);
    if (register !== undefined) {
      closers.push(() => register.close());
      const receipts = await startFiscalReceipts(ctx, register);
      closers.push(() => receipts.stop());
    }
    // Once a shutdown begins, fallbacks are left to the watch of the next start.
    closers.push(async () => fallbacks.stopAccepting());
    // Last, because its keys are shown once: a start that fails must not have created them.
    const demoKeys = ctx.channels.isSandbox ? await openDemoWithGroup(ctx) : undefined;

    const isOtherPort = config.port !== 0 && port !== config.port;
    return { ctx, http, facts: { ...storage.facts, port, isOtherPort }, demoKeys, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Loaded only where traces are wanted. */
async function openTracing({ traces }: Config, log: Logger): Promise<Tracer | undefined> {
  if (traces === undefined) return undefined;
  const { openTracer } = await import('./runtime/open-tracer.ts');
  return openTracer({ ...traces, version: VERSION }, log);
}

/** What the providers need from the rest of the service. */
function providerDeps({
  db,
  log,
  urls,
  background,
}: Pick<Context, 'db' | 'log' | 'urls' | 'background'>) {
  return {
    clock: systemClock,
    log,
    callbackUrl: (provider: string) => `${urls.publicUrl}/callbacks/${provider}`,
    // Empty until the server listens.
    shortLinkBase: () => urls.shortLinkBase || undefined,
    findTelegramChat: (phone: Phone) => findTelegramChat(db, phone),
    isWhatsappWindowOpen: (phone: Phone) => isWhatsappWindowOpen(db, phone),
    onContact(contact: Contact) {
      background.run(() =>
        recordContact(db, contact).catch((error: unknown) => {
          log.warn({ err: error, kind: contact.kind }, 'chat details from a send were not saved');
        }),
      );
    },
    onSmsAccepted(sms: AcceptedSms) {
      background.run(() =>
        db.inGroup(recordSms, sms).catch((error: unknown) => {
          log.warn(
            { err: error, message_id: sms.ref.messageId },
            'the route of an SMS was not saved',
          );
        }),
      );
    },
    recordStop: (stop: Stop) => recordStop({ db, clock: systemClock }, stop),
    storeProviderIds: (ids: ProviderIds) => db.inGroup(rememberIds, ids),
  };
}

/** For each messenger, asks the first provider for its account until it is known, then keeps it. */
function createGroupAccounts(
  providers: readonly Provider[],
): NonNullable<Context['groupAccounts']> {
  const accounts: NonNullable<Context['groupAccounts']> = {};
  for (const channel of GROUP_CHANNELS) {
    const provider = providers.find(
      (each) => each.channel === channel && each.readGroupAccount !== undefined,
    );
    if (provider === undefined) continue;
    let known: string | undefined;
    accounts[channel] = async () => {
      known ??= await provider.readGroupAccount?.(AbortSignal.timeout(GROUP_ACCOUNT_LIMIT_MS));
      return known;
    };
  }
  return accounts;
}

async function openOps(
  ctx: Context,
  {
    registry,
    metrics,
    isOneOfMany,
  }: { registry: Registry; metrics: ProviderMetrics; isOneOfMany: boolean },
): Promise<OpsServer | undefined> {
  const { opsPort: port, opsHost: host } = ctx.config;
  if (port === undefined) return undefined;
  collectDefaultMetrics({ register: registry });
  if (isOneOfMany) {
    // The process that has started this one answers scrapes, and asks all of them.
    new AggregatorRegistry();
    AggregatorRegistry.setRegistries([registry]);
    return undefined;
  }
  return await openOpsServer({
    port,
    host,
    registry,
    readProviders: metrics.read,
    isReady: () => ctx.db.isUp(),
  });
}

/** Adds a group, so that posting to one can be tried at once as well. */
async function openDemoWithGroup(ctx: Context): Promise<DemoKeys | undefined> {
  const demoKeys = await openDemo(ctx);
  const companyId = ctx.demo?.companyId;
  if (demoKeys === undefined || companyId === undefined) return demoKeys;
  await insertGroup(ctx.db, { companyId, channel: 'telegram', name: 'Дежурные', chatId: '-1001' });
  return demoKeys;
}

/** A port that was set must be free; the default one is replaced by the next free one. */
async function listen(http: HttpServer, config: Config): Promise<number> {
  const portsMax = config.isPortSet ? 1 : OTHER_PORTS_MAX;
  for (let offset = 0; offset < portsMax; offset++) {
    try {
      await http.listen({ port: config.port === 0 ? 0 : config.port + offset, host: config.host });
      return (http.server.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new PortTaken('PORT', config.port);
}

function urlsOf(config: Config, port: number): Context['urls'] {
  const publicUrl = config.publicUrl ?? localUrl(config.host, port);
  return { publicUrl, shortLinkBase: shortLinkBaseOf(config, publicUrl) };
}
