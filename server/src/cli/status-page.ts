import { localUrl, readConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { statusFolder } from '../status/status-files.ts';
import { type Command, Refusal, UsageError } from './grammar/command.ts';
import { requiredOption, wholeNumber } from './grammar/values.ts';
import { waitForShutdown } from './wait-for-shutdown.ts';

export const statusPage: Command = {
  name: 'status-page',
  usage: '--port N [--host HOST] [--api URL] [--json]',
  summary: {
    en: 'Serves the status page by itself, so that it answers while the service is down',
    ru: 'Показывает страницу статуса отдельно, чтобы она отвечала, когда сервис не работает',
  },
  options: { port: 'text', host: 'text', api: 'text' },
  async run({ given, env, texts, isJson }) {
    const config = readConfig(env);
    const port = wholeNumber('--port', requiredOption(given, 'port'), { min: 0, max: 65_535 });
    const host = given.text('host') ?? config.host;
    const apiUrl = apiUrlOf(given.text('api')) ?? `${localUrl(config.host, config.port)}/api`;
    const folder = statusFolder(config.dataDir);
    const log = createLog(config.logLevel, { sync: false });
    const shutdown = waitForShutdown();
    // Lazily, as the service itself: other commands start faster without it.
    const { serveStatusPage } = await import('../http/pages/status/serve-status-page.ts');
    const { readWebBuild } = await import('../http/pages/web-build.ts');
    const build = readWebBuild();
    if (build === undefined) throw new Refusal((say) => say.notBuilt);
    const server = await serveStatusPage({
      port,
      host,
      folder,
      apiUrl,
      build,
      onError: (error) => log.warn({ err: error }, 'status page'),
    });
    const url = `${localUrl(host, server.port)}/status`;
    console.log(
      isJson
        ? JSON.stringify({ port: server.port, url, folder, api: apiUrl })
        : [texts.statusPageServed(url, folder), texts.apiAsked(apiUrl)].join('\n'),
    );
    await shutdown;
    await server.close();
    return 0;
  },
};

/** With or without `/api` at its end. */
function apiUrlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError((say) => say.badUrl(text));
  }
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`;
}
