import { gzipSync } from 'node:zlib';
import type { StatusSnapshot } from '@zhiber/contract/pages/status.ts';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../context.ts';
import { type Repetition, repeatEvery } from '../../../runtime/repeat.ts';
import { isStale, makeSnapshot } from '../../../status/snapshot.ts';
import { SNAPSHOT_FILE, statusFolder, writeWhole } from '../../../status/status-files.ts';
import { packedFor } from '../built-pages.ts';
import { createSiteView, type View } from '../layout.ts';
import { sendNotBuilt } from '../plain-pages.ts';
import { sendPage } from '../send-page.ts';
import type { WebBuild } from '../web-build.ts';
import {
  renderStatus,
  STATUS_HEADERS,
  STATUS_PATHS,
  type StatusDocument,
  statusFiles,
} from './render-status.ts';

/** Often enough that nobody calls the files old. The first ones are written at once. */
const FILES_MS = 30_000;
const LOOK_MS = 1_000;

type Rendered = { snapshot: StatusSnapshot; isOld: boolean; body: Buffer; packed: Buffer };

/**
 * The status page, its feed, its summary and its badge. They come from memory: no reader causes a
 * question to the database, and none waits for one that hangs.
 */
export function addStatusPages(
  app: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const rendered = new Map<string, Rendered>();
  const render = (
    document: StatusDocument,
    from: WebBuild,
    { lang, site }: Pick<View, 'lang' | 'site'>,
  ): Rendered => {
    const name = `${document} ${lang} ${site?.theme}`;
    const now = ctx.clock.now();
    const snapshot = ctx.statusPage.snapshot ?? emptySnapshot(ctx, now);
    const isOld = isStale(snapshot, now);
    const known = rendered.get(name);
    if (known?.snapshot === snapshot && known.isOld === isOld) return known;
    const text = renderStatus(document, { snapshot, now }, { build: from, lang, site });
    const body = Buffer.from(text);
    const made = { snapshot, isOld, body, packed: gzipSync(body) };
    rendered.set(name, made);
    return made;
  };

  for (const [url, document] of Object.entries(STATUS_PATHS)) {
    app.get(url, { exposeHeadRoute: true }, (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      const { body, packed } = render(document, build, createSiteView(build, ctx, request));
      const chosen = packedFor(
        { body, packed: { gzip: packed } },
        request.headers['accept-encoding'],
      );
      if (chosen.encoding !== undefined) reply.header('content-encoding', chosen.encoding);
      if (document === 'page') return sendPage(reply, chosen.body);
      reply.headers(STATUS_HEADERS[document]).header('vary', 'accept-language, accept-encoding');
      return reply.send(chosen.body);
    });
  }
  if (build !== undefined) keepFiles(app, ctx, build);
}

/** Before anything was read: nothing is known, and the page says so. */
function emptySnapshot({ urls, channels }: Context, now: Date): StatusSnapshot {
  return makeSnapshot({
    now,
    siteUrl: urls.publicUrl,
    isSandbox: channels.isSandbox,
    minutes: new Map(),
    days: [],
    incidents: [],
  });
}

/** While the server listens, the page is also kept in files, which outlive the process. */
function keepFiles(app: FastifyInstance, ctx: Context, build: WebBuild): void {
  const folder = statusFolder(ctx.config.dataDir);
  let writtenMs = Number.NEGATIVE_INFINITY;
  let repetition: Repetition | undefined;
  const write = async () => {
    const { snapshot } = ctx.statusPage;
    if (snapshot === undefined || performance.now() - writtenMs < FILES_MS) return false;
    writtenMs = performance.now();
    for (const [name, text] of statusFiles(snapshot, build)) await writeWhole(folder, name, text);
    await writeWhole(folder, SNAPSHOT_FILE, `${JSON.stringify(snapshot)}\n`);
    return false;
  };
  app.addHook('onListen', async () => {
    repetition = repeatEvery({
      pauseMs: LOOK_MS,
      onError: (error) =>
        ctx.log.warn({ err: error }, 'the files of the status page were not kept'),
      run: write,
    });
  });
  app.addHook('onClose', async () => repetition?.stop());
}
