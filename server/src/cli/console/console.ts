/** The terminal of a sandbox: a line for each send, and keys where there is a person to press them. */
import type { Config } from '../../config/config.ts';
import type { Env, Lang } from '../grammar/language.ts';
import { canReadKeys, type KeyAction, type Keys, readKeys } from './keys.ts';
import { openBrowser } from './open-browser.ts';
import { type ConsoleContext, showCalls } from './show-calls.ts';
import { CONSOLE_TEXTS } from './texts.ts';

type Options = {
  ctx: ConsoleContext;
  config: Config;
  log: { level: string };
  env: Env;
  lang: Lang;
  hasColour: boolean;
  /** Ends the server in order. */
  onQuit: () => void;
  /** Ends it, removes its data and starts it again. */
  onReset: () => void;
};

export type Console = { stop(): Promise<void> };

export function openConsole(options: Options): Console {
  const { ctx, config, log, env, lang, hasColour } = options;
  const texts = CONSOLE_TEXTS[lang];
  const say = (text: string) => console.log(`  ${text}`);
  const calls = showCalls(ctx, { texts, hasColour }, (line) => console.log(line));
  const hasKeys = canReadKeys(env);
  const givenLevel = log.level;
  // Where a key turns the full log on, failures of sends are not said twice.
  const quietLevel = hasKeys && env.LOG_LEVEL === undefined ? 'error' : givenLevel;
  log.level = quietLevel;
  let isFull = false;
  let isEnding = false;

  const actions: Record<KeyAction, () => void | Promise<void>> = {
    async open() {
      const url = `${ctx.urls.publicUrl}/try`;
      say((await openBrowser(url, env)) ? texts.opening(url) : texts.notOpened(url));
    },
    log() {
      isFull = !isFull;
      log.level = isFull ? 'debug' : quietLevel;
      calls.showAll(isFull);
      say(isFull ? texts.logOn : texts.logOff);
    },
    async reset() {
      if (config.databaseUrl !== undefined) return say(texts.noReset);
      say(texts.askReset(config.dataDir));
      if (!(await keys?.confirm())) return say(texts.resetKept);
      isEnding = true;
      say(texts.resetting);
      options.onReset();
    },
    quit() {
      isEnding = true;
      say(texts.quitting);
      options.onQuit();
    },
  };
  const keys: Keys | undefined = hasKeys
    ? readKeys((action) => {
        if (!isEnding) void actions[action]();
      })
    : undefined;
  if (keys !== undefined) console.log(`\n  ${texts.hint}\n`);
  return {
    async stop() {
      log.level = givenLevel;
      keys?.close();
      await calls.stop();
    },
  };
}
