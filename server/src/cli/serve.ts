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
import { type StartFacts, startBlock, startJson } from './start-block.ts';
import { readZone } from './time-zone.ts';
import { waitForShutdown } from './wait-for-shutdown.ts';

/** The deadline of a graceful shutdown: requests in flight are then cut off. */
const STOP_LIMIT_MS = 25_000;

export const serve: Command = {
  name: 'serve',
  usage: '[--json]',
  summary: {
    en: 'Runs the service until it is stopped',
    ru: 'Запускает сервис и работает, пока не остановят',
  },
  async run(call) {
    const config = readConfig(call.env);
    const log = createLog(config.logLevel, { sync: false });
    // Signals are handled before anything is opened, so that an aborted start leaves no database
    // running.
    const shutdown = waitForShutdown();
    while ((await runOnce(config, log, { call, shutdown })) === 'reset') {
      if (await removeSandboxData(config.dataDir)) continue;
      console.log(`  ${CONSOLE_TEXTS[call.lang].resetBusy}`);
    }
    return 0;
  },
};

/** From the start to an orderly stop. `reset`: a person wants the sandbox to begin anew. */
async function runOnce(
  config: Config,
  log: Logger,
  { call, shutdown }: { call: Call; shutdown: Promise<void> },
): Promise<'stop' | 'reset'> {
  const app = await open(config, log);
  show(app, config, call);
  const { promise: asked, resolve } = Promise.withResolvers<'stop' | 'reset'>();
  const isShown = app.ctx.channels.isSandbox && !call.isJson;
  const terminal = isShown
    ? openConsole({
        ...{ app, config, log, env: call.env, lang: call.lang },
        hasColour: hasColour(call.env),
        onQuit: () => resolve('stop'),
        onReset: () => resolve('reset'),
      })
    : undefined;
  const next = await Promise.race([shutdown.then(() => 'stop' as const), asked]);

  const deadline = setTimeout(() => {
    log.fatal('shutdown took too long');
    log.flush(() => process.exit(1));
  }, STOP_LIMIT_MS);
  await app.stop();
  await terminal?.stop();
  clearTimeout(deadline);
  return next;
}

/** Imports the service lazily: every other command starts twice as fast without it. */
async function open(config: Config, log: Logger): Promise<App> {
  const { openApp } = await import('../app.ts');
  return openApp(config, log).catch((error: unknown) => {
    if (error instanceof PortTaken) throw new Refusal(() => error.message);
    throw error;
  });
}

function show(app: App, config: Config, { env, lang, isJson }: Call): void {
  const facts = collectFacts(app, config);
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
