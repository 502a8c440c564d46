import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { DocsFacts } from '@zhiber/contract/pages/docs-placeholders.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readSessionToken } from '../../../accounts/session-cookie.ts';
import type { Context } from '../../../context.ts';
import { describeApi } from '../../api/openapi.ts';
import { errorPage, errorsPage, unknownErrorPage } from '../error-pages.ts';
import { createSiteView, type View } from '../layout.ts';
import { sendNotBuilt } from '../plain-pages.ts';
import { sendPage } from '../send-page.ts';
import type { WebBuild } from '../web-build.ts';
import { consolePage } from './console-page.ts';
import { fillMarkdown, readDocsFacts } from './docs-facts.ts';
import { listPages } from './docs-frame.ts';
import { errorMarkdown, errorsMarkdown, referenceMarkdown } from './docs-markdown.ts';
import { guidePage } from './guide-page.ts';
import { llmsText } from './llms-text.ts';
import { readReference } from './reference-model.ts';
import { type ReferenceTexts, referencePage } from './reference-page.ts';
import { createSearchIndex, searchPage } from './search-page.ts';
import { unknownDocsPage } from './unknown-docs-page.ts';

/** One request for a page of the documentation. */
type Visit = {
  view: View;
  docs: DocsBuild;
  /** Without prices. */
  facts: DocsFacts;
  hasSession: boolean;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** The documentation: its pages, their twins in Markdown, and the search. */
export function addDocs(app: FastifyInstance, ctx: Context, build: WebBuild | undefined): void {
  const indexOf = build && createSearchIndex(build);

  const add = (url: string, answer: (visit: Visit) => FastifyReply | Promise<FastifyReply>) =>
    app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      const view = createSiteView(build, ctx, request);
      const facts = await readDocsFacts(ctx);
      const hasSession = readSessionToken(ctx.config, request.headers.cookie) !== undefined;
      return await answer({ view, docs: build.readDocs(), facts, hasSession, request, reply });
    });

  const sendGuide = async ({ view, docs, hasSession, reply }: Visit, slug: string) => {
    const page = findPage(docs, view, slug);
    if (page === undefined) {
      return sendPage(reply.code(404), unknownDocsPage(view, docs, slug));
    }
    const facts = await readDocsFacts(ctx, page.html);
    return sendPage(reply, guidePage(view, docs, { slug, page, reader: { facts, hasSession } }));
  };
  const sendTwin = async (visit: Visit, slug: string) => {
    const markdown = findMarkdown(visit, slug);
    if (markdown === undefined) {
      return sendPage(visit.reply.code(404), unknownDocsPage(visit.view, visit.docs, slug));
    }
    return sendMarkdown(visit.reply, fillMarkdown(markdown, await readDocsFacts(ctx, markdown)));
  };

  add('/docs', (visit) => sendGuide(visit, 'index'));
  add('/docs/search', ({ view, docs, request, reply }) =>
    sendPage(
      reply,
      searchPage(view, docs, { entries: indexOf?.(view.lang) ?? [], asked: queryOf(request, 'q') }),
    ),
  );
  add('/docs/errors', ({ view, docs, request, reply }) =>
    sendPage(reply, errorsPage(view, docs, queryOf(request, 'q'))),
  );
  add('/docs/errors/:code', sendError);
  add('/docs/api', ({ view, docs, facts, hasSession, reply }) => {
    const reader = { facts, hasSession };
    return sendPage(reply, referencePage(view, docs, { ...readTexts(view, facts), reader }));
  });
  add('/docs/api/console', ({ view, docs, facts, request, reply }) => {
    const { reference } = readTexts(view, facts);
    const chosen = queryOf(request, 'operation');
    return sendPage(reply, consolePage(view, docs, { reference, facts, chosen }));
  });
  add('/docs/:slug', (visit) => {
    const { slug } = visit.request.params as { slug: string };
    if (slug.endsWith('.md')) return sendTwin(visit, slug.slice(0, -'.md'.length));
    return sendGuide(visit, slug);
  });
  add('/llms.txt', ({ view, docs, facts, reply }) =>
    sendText(reply, llmsText(docs, { ...view, siteUrl: facts.siteUrl })),
  );
  add('/llms-full.txt', async (visit) => {
    const slugs = listPages(visit.docs, visit.view.lang, visit.view.texts).flatMap((group) =>
      group.entries.map((entry) => entry.slug),
    );
    const text = slugs.flatMap((slug) => findMarkdown(visit, slug) ?? []).join('\n---\n\n');
    return sendText(visit.reply, fillMarkdown(text, await readDocsFacts(ctx, text)));
  });
}

function sendError({ view, docs, facts, request, reply }: Visit): FastifyReply {
  const { code: asked } = request.params as { code: string };
  const code = asked.replace(/\.md$/, '');
  if (!isErrorCode(code)) {
    return sendPage(reply.code(404), unknownErrorPage(view, docs, code));
  }
  const { siteUrl } = facts;
  if (asked !== code) return sendMarkdown(reply, errorMarkdown({ ...view, siteUrl }, code));
  return sendPage(reply, errorPage(view, docs, { code, siteUrl }));
}

/** The Markdown of a page, with its placeholders. */
function findMarkdown({ view, docs, facts }: Visit, slug: string): string | undefined {
  const site = { ...view, siteUrl: facts.siteUrl };
  if (slug === 'errors') return errorsMarkdown(site);
  if (slug === 'api') return referenceMarkdown(site, readTexts(view, facts).reference);
  return findPage(docs, view, slug)?.markdown;
}

/** Only a slug of the build is found, whatever stands in the address. */
function findPage(docs: DocsBuild, { lang }: View, slug: string) {
  return Object.hasOwn(docs.pages[lang], slug) ? docs.pages[lang][slug] : undefined;
}

function readTexts({ lang, texts }: View, { siteUrl }: DocsFacts): ReferenceTexts {
  return { reference: readReference(describeApi(siteUrl, lang), texts.docs.reference) };
}

function sendMarkdown(reply: FastifyReply, markdown: string): FastifyReply {
  return sendText(reply, markdown, 'markdown');
}

function sendText(reply: FastifyReply, text: string, type: 'plain' | 'markdown' = 'plain') {
  return reply
    .header('content-type', `text/${type}; charset=utf-8`)
    .header('vary', 'accept-language')
    .header('cache-control', 'no-cache')
    .header('x-robots-tag', 'noindex')
    .send(text);
}

function queryOf({ query }: FastifyRequest, name: string): string {
  const value = ((query ?? {}) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
}

function isErrorCode(text: string): text is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(text);
}
