import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { App } from '../app.ts';
import { type Config, localUrl, readConfig } from '../config/config.ts';
import { PortTaken } from '../http/transport/port-taken.ts';
import { createLog } from '../log.ts';
import { VERSION } from '../version.ts';
import { openConsole } from './console/console.ts';
import { removeSandboxData } from './console/remove-sandbox-data.ts';
import { CONSOLE_TEXTS } from './console/texts.ts';
import { type Call, type Command, Refusal } from './grammar/command.ts';
import type { Env } from './grammar/language.ts';
import { runProcess } from './processes/run-process.ts';
import type { Served } from './processes/served.ts';
import { type StartFacts, startBlock, startJson } from './start-block.ts';
import { readZone } from './time-zone.ts';
import { waitForShutdown } from './wait-for-shutdown.ts';

/** The deadline of a graceful shutdown: requests in flight are then cut off. */
const STOP_LIMIT_MS = 25_000;

export const serve: Command = {
  name: 'serve',
  usage: '[--role all|api|worker] [--processes N] [--json]',
  summary: {
    en: 'Runs the service until it is stopped',
    ru: 'Запускает сервис и работает, пока не остановят',
  },
  options: { role: 'text', processes: 'text' },
  async run(call) {
    const config = readConfig(withFlags(call));
    const log = createLog(config.logLevel, { sync: false });
    const isOneOfMany = cluster.isWorker;
    const openSingle = () => openInThisProcess(config, log, { isOneOfMany });
    if (isOneOfMany) {
      return await runProcess({
        open: openSingle,
        describe: (app) => collectFacts(app, config),
        log,
        stop: (app) => stopInTime(app, log),
      });
    }
    // Signals are handled before anything is opened, so that an aborted start leaves no database
    // running.
    const shutdown = waitForShutdown();
    const open = async (): Promise<Served> => {
      if (config.processes > 1) {
        const { openProcesses } = await import('./processes/open-processes.ts');
        return await openProcesses(config, log);
      }
      const app = await openSingle();
      return { facts: collectFacts(app, config), ctx: app.ctx, log, stop: app.stop };
    };
    while ((await runOnce({ open, config, log, call, shutdown })) === 'reset') {
      if (await removeSandboxData(config.dataDir)) continue;
      console.log(`  ${CONSOLE_TEXTS[call.lang].resetBusy}`);
    }
    return 0;
  },
};

/** The settings of the environment, of which some can be given for one start. */
function withFlags({ given, env }: Call): Env {
  const role = given.text('role');
  const processes = given.text('processes');
  return {
    ...env,
    ...(role !== undefined && { ROLE: role }),
    ...(processes !== undefined && { PROCESSES: processes }),
  };
}

/** From the start to an orderly stop. `reset`: a person wants the sandbox to begin anew. */
async function runOnce({
  open,
  config,
  log,
  call,
  shutdown,
}: {
  open(): Promise<Served>;
  config: Config;
  log: Logger;
  call: Call;
  shutdown: Promise<void>;
}): Promise<'stop' | 'reset'> {
  const served = await open();
  show(served.facts, call);
  const { promise: asked, resolve } = Promise.withResolvers<'stop' | 'reset'>();
  const isShown = served.facts.isSandbox && !call.isJson;
  const terminal = isShown
    ? openConsole({
        ...{ ctx: served.ctx, log: served.log, config, env: call.env, lang: call.lang },
        hasColour: hasColour(call.env),
        onQuit: () => resolve('stop'),
        onReset: () => resolve('reset'),
      })
    : undefined;
  const next = await Promise.race([shutdown.then(() => 'stop' as const), asked]);
  await stopInTime(served, log);
  await terminal?.stop();
  return next;
}

async function stopInTime(service: { stop(): Promise<void> }, log: Logger): Promise<void> {
  const deadline = setTimeout(() => {
    log.fatal('shutdown took too long');
    log.flush(() => process.exit(1));
  }, STOP_LIMIT_MS);
  await service.stop();
  clearTimeout(deadline);
}

/** Imports the service lazily: every other command starts twice as fast without it. */
async function openInThisProcess(
  config: Config,
  log: Logger,
  { isOneOfMany }: { isOneOfMany: boolean },
): Promise<App> {
  const { openApp } = await import('../app.ts');
  return openApp(config, log, { isOneOfMany }).catch((error: unknown) => {
    if (error instanceof PortTaken) throw new Refusal(() => error.message);
    throw error;
  });
}

function show(facts: StartFacts, { env, lang, isJson }: Call): void {
  if (isJson) console.log(JSON.stringify(startJson(facts)));
  else console.log(startBlock(facts, { lang, hasColour: hasColour(env) }).join('\n'));
}

function collectFacts(app: App, config: Config): StartFacts {
  const { facts, ctx } = app;
  return {
    version: VERSION,
    isEmbedded: facts.isEmbedded,
    serverVersion: facts.serverVersion,
    dataDir: config.dataDir,
    applied: facts.applied,
    migrations: facts.migrations,
    zone: readZone(),
    processes: 1,
    isSandbox: ctx.channels.isSandbox,
    isSandboxPublic: config.isSandboxPublic,
    providers: config.providers,
    port: facts.port,
    busyPort: facts.isOtherPort ? config.port : undefined,
    publicUrl: ctx.urls.publicUrl,
    localUrl: localUrl(config.host, facts.port),
    demoKeys: app.demoKeys,
    demoCompanyId: ctx.demo?.companyId,
  };
}

function hasColour(env: Env): boolean {
  return process.stdout.isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb';
}
