import type { Logger } from 'pino';
import type { App } from '../app.ts';
import { findDemo } from '../company/demo-company.ts';
import { type Config, localUrl, readConfig } from '../config/config.ts';
import { PortTaken } from '../http/port-taken.ts';
import { createLog } from '../log.ts';
import { VERSION } from '../version.ts';
import { type Call, type Command, Refusal } from './grammar/command.ts';
import type { Env } from './grammar/language.ts';
import { type StartFacts, startBlock, startJson } from './start-block.ts';
import { readZone } from './time-zone.ts';
import { untilTold } from './until-told.ts';

/** How long requests under way may take to finish before the process ends anyway. */
const STOP_LIMIT_MS = 25_000;

export const serve: Command = {
  name: 'serve',
  usage: '[--json]',
  summary: {
    en: 'Runs the service until it is told to stop',
    ru: 'Запускает сервис и работает, пока не остановят',
  },
  async run(call) {
    const config = readConfig(call.env);
    const log = createLog(config.logLevel, { sync: false });
    // Listening for signals before anything is open: a start that is called off leaves no database
    // running.
    const told = untilTold();
    const app = await open(config, log);
    show(app, config, call);
    await told;

    const limit = setTimeout(() => {
      log.fatal('stopping took too long');
      log.flush(() => process.exit(1));
    }, STOP_LIMIT_MS);
    await app.stop();
    clearTimeout(limit);
    return 0;
  },
};

/**
 * The service is loaded here and not at the top: every other command starts twice as fast without
 * it.
 */
async function open(config: Config, log: Logger): Promise<App> {
  const { openApp } = await import('../app.ts');
  return openApp(config, log).catch((error: unknown) => {
    if (error instanceof PortTaken) throw new Refusal(() => error.message);
    throw error;
  });
}

function show(app: App, config: Config, { env, lang, isJson }: Call): void {
  const facts = factsOf(app, config);
  if (isJson) console.log(JSON.stringify(startJson(facts)));
  else console.log(startBlock(facts, { lang, hasColour: hasColour(env) }).join('\n'));
}

function factsOf(app: App, config: Config): StartFacts {
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
    providers: config.providers,
    port: facts.port,
    busyPort: facts.isOtherPort ? config.port : undefined,
    publicUrl: ctx.urls.publicUrl,
    localUrl: localUrl(config.host, facts.port),
    demoKeys: app.demoKeys,
    demoCompanyId: findDemo(ctx)?.companyId,
  };
}

function hasColour(env: Env): boolean {
  return process.stdout.isTTY === true && !env.NO_COLOR && !env.CI && env.TERM !== 'dumb';
}
