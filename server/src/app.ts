import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { openBackground } from './background.ts';
import type { AttemptRef } from './channels/channel.ts';
import { connectProviders } from './channels/connect.ts';
import { createFigures, type Figures } from './channels/figures.ts';
import { openChannels, type WaysOut } from './channels/open-channels.ts';
import type { Contact, Provider } from './channels/provider.ts';
import { systemClock } from './clock.ts';
import { type DemoKeys, findDemo, openDemo } from './company/demo-company.ts';
import { openSecrets } from './company/open-secrets.ts';
import { type Config, localUrl, shortLinkBaseOf } from './config/config.ts';
import { findTelegramChat, isWhatsappWindowOpen, recordContact } from './contacts/contact-store.ts';
import type { Context } from './context.ts';
import { openStorage, type Storage } from './db/open-storage.ts';
import { rememberIds } from './delivery/receipts/provider-id-store.ts';
import { recordReceipt, recordReport } from './delivery/receipts/record-receipt.ts';
import { openRefusals } from './delivery/refusals.ts';
import { startWatch } from './delivery/watch.ts';
import { insertGroup } from './group/group-store.ts';
import { startGuard } from './guard/guard-rounds.ts';
import { type OpsServer, openOpsServer } from './http/ops-server.ts';
import { PortTaken } from './http/port-taken.ts';
import { createHttpServer, type HttpServer } from './http/server.ts';
import { runJobs } from './jobs/run-jobs.ts';
import { openMailer } from './mail/mailer.ts';
import { reportVerifiedTo } from './otp/report-verified.ts';
import { openPeople } from './people/people.ts';
import type { Phone } from './phone.ts';
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

const OTHER_PORTS_MAX = 20;
/** Somebody waits for a page that can be shown without it. */
const BOT_NAME_LIMIT_MS = 1_500;

/**
 * The whole service, read aloud: storage, channels, refusals, secrets, jobs, guard, what goes on in
 * the background, mail, people, http, the operator's port, watch, demo. Other ways out than the
 * configured ones are for tests.
 */
export async function openApp(config: Config, log: Logger, waysOut?: WaysOut): Promise<App> {
  const storage = await openStorage(config, 'owner', log);
  const closers: (() => Promise<unknown>)[] = [() => storage.close()];
  const stop = async () => {
    for (const close of closers.toReversed()) await close();
  };

  try {
    const sandbox = createSandbox(systemClock);
    const registry = new Registry();
    const figures = createFigures(registry);
    const urls: Context['urls'] = { publicUrl: '', shortLinkBase: '' };
    const { db } = storage;
    const { fallbacks, background } = openBackground(log);
    const connected = connectProviders(config.providers, {
      ...outsideOf({ db, log, urls, background }),
      figures,
    });
    closers.push(() => connected.close());
    // Stopped only when nobody is served any more.
    const refusals = await openRefusals({ config, db, log });
    closers.push(() => refusals.stop());
    const ctx: Context = {
      config,
      db,
      channels: openChannels(sandbox.adapters, waysOut ?? connected.channels),
      secrets: await openSecrets(config, db),
      clock: systemClock,
      log,
      fallbacks,
      background,
      refusals,
      urls,
      onVerified: reportVerifiedTo(connected.providers, { db, log, background }),
      findBot: findBotOf(connected.providers),
    };
    sandbox.onReceipt((report) => recordReceipt(ctx, report));
    closers.push(async () => sandbox.stop());

    const jobs = await runJobs(ctx, storage.connection);
    closers.push(() => jobs.stop());
    const guard = await startGuard(ctx);
    closers.push(() => guard.stop());
    // Before the guard that counts them, and before the providers and the database they need.
    closers.push(() => Promise.all([fallbacks.close(), background.close()]));
    const mailer = openMailer(ctx, sandbox);
    closers.push(() => mailer.close());
    const people = openPeople(ctx, mailer);
    const http = createHttpServer(ctx, sandbox, connected.providers, people);
    const port = await listen(http, config);
    closers.push(() => http.close());
    Object.assign(urls, urlsOf(config, port));
    for (const provider of connected.providers) {
      provider.start?.((report) => recordReport(ctx, provider.name, report));
    }
    const ops = await openOps(ctx, registry, figures);
    if (ops !== undefined) closers.push(() => ops.close());
    const watch = startWatch(ctx);
    closers.push(() => watch.stop());
    // From the beginning of a stop on, fallbacks are left to the watch of the next start.
    closers.push(async () => fallbacks.takeNoMore());
    // Last, because its keys are shown once: a start that fails must not have used that up.
    const demoKeys = ctx.channels.isSandbox ? await openDemoWithGroup(ctx) : undefined;

    const isOtherPort = config.port !== 0 && port !== config.port;
    return { ctx, http, facts: { ...storage.facts, port, isOtherPort }, demoKeys, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What providers and the order between them ask of the rest of the service. */
function outsideOf({
  db,
  log,
  urls,
  background,
}: Pick<Context, 'db' | 'log' | 'urls' | 'background'>) {
  return {
    clock: systemClock,
    log,
    callbackUrl: (provider: string) => `${urls.publicUrl}/callbacks/${provider}`,
    findTelegramChat: (phone: Phone) => findTelegramChat(db, phone),
    isWhatsappWindowOpen: (phone: Phone) => isWhatsappWindowOpen(db, phone),
    onContact(contact: Contact) {
      background.run(() =>
        recordContact(db, contact).catch((error: unknown) => {
          log.warn({ err: error, kind: contact.kind }, 'what a send showed of a chat was not kept');
        }),
      );
    },
    remember: (ref: AttemptRef, providerIds: readonly string[]) =>
      db.inGroup(rememberIds, { ref, providerIds }),
  };
}

/** Asks for the name of the bot until it has been told once. */
function findBotOf(providers: readonly Provider[]): Context['findBot'] {
  const bot = providers.find((provider) => provider.readUsername !== undefined);
  if (bot === undefined) return undefined;
  let known: string | undefined;
  return async () => {
    known ??= await bot.readUsername?.(AbortSignal.timeout(BOT_NAME_LIMIT_MS));
    return known;
  };
}

async function openOps(
  ctx: Context,
  registry: Registry,
  figures: Figures,
): Promise<OpsServer | undefined> {
  const { opsPort: port, opsHost: host } = ctx.config;
  if (port === undefined) return undefined;
  collectDefaultMetrics({ register: registry });
  return await openOpsServer({
    port,
    host,
    registry,
    readProviders: figures.read,
    isReady: () => ctx.db.isUp(),
  });
}

/** With a group, so that posting to one can be tried at once as well. */
async function openDemoWithGroup(ctx: Context): Promise<DemoKeys | undefined> {
  const demoKeys = await openDemo(ctx);
  const companyId = findDemo(ctx)?.companyId;
  if (demoKeys === undefined || companyId === undefined) return demoKeys;
  await insertGroup(ctx.db, { companyId, channel: 'telegram', name: 'Дежурные', chatId: '-1001' });
  return demoKeys;
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
  throw new PortTaken('PORT', config.port);
}

function urlsOf(config: Config, port: number): Context['urls'] {
  const publicUrl = config.publicUrl ?? localUrl(config.host, port);
  return { publicUrl, shortLinkBase: shortLinkBaseOf(config, publicUrl) };
}
