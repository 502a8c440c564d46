import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCommonPrices } from '../../billing/manage-prices.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { atomFeed, type FeedFacts, jsonFeed } from './changelog-feeds.ts';
import {
  ATOM_PATH,
  ATOM_TYPE,
  changelogPage,
  JSON_FEED_PATH,
  JSON_FEED_TYPE,
} from './changelog-page.ts';
import { etagOf, isKnown } from './etag.ts';
import { homePage } from './home-page.ts';
import { chooseLang } from './language.ts';
import { createSiteView, type View } from './layout.ts';
import { legalPage, readLegalDocument } from './legal-pages.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { pricingPage } from './pricing-page.ts';
import { sendPage } from './send-page.ts';
import type { WebBuild } from './web-build.ts';

type Render = (
  view: View,
  request: FastifyRequest,
  reply: FastifyReply,
  build: WebBuild,
) => string | Promise<string>;

const HOUR_SECONDS = 3_600;

/** What the service is and costs, what changed, and the documents of its operator. */
export function addSitePages(
  app: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const addPage = (url: string, render: Render) =>
    app.get(url, { exposeHeadRoute: true }, async (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      const view = createSiteView(build, ctx, request);
      return sendPage(reply, await render(view, request, reply, build));
    });

  addPage('/', async (view, _request, _reply, { snippets }) =>
    homePage(view, {
      apiUrl: `${ctx.urls.publicUrl}/api`,
      prices: await findCommonPrices(ctx),
      isSmsPerPart: ctx.config.isSmsPricedPerPart,
      snippets,
      seller: sellerOf(ctx),
    }),
  );
  addPage('/pricing', async (view, request) =>
    pricingPage(view, {
      prices: await readCommonPrices(ctx),
      isSmsPerPart: ctx.config.isSmsPricedPerPart,
      topupMin: ctx.config.topupMin,
      asked: queryOf(request),
    }),
  );
  addPage('/changelog', (view, _request, _reply, { changes }) => changelogPage(view, changes));
  addFeeds(app, ctx, build);

  const documents = {
    terms: readLegalDocument('TERMS_FILE', ctx.config.termsFile),
    privacy: readLegalDocument('PRIVACY_FILE', ctx.config.privacyFile),
  };
  for (const name of ['terms', 'privacy'] as const) {
    addPage(`/${name}`, (view, _request, reply) => {
      const { markup, isThere } = legalPage(view, name, documents[name]);
      if (!isThere) reply.code(404);
      return markup;
    });
  }
}

function addFeeds(app: FastifyInstance, ctx: Context, build: WebBuild | undefined): void {
  const addFeed = (path: string, type: string, print: (facts: FeedFacts) => string) =>
    app.get(path, { exposeHeadRoute: true }, (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      // Readers of feeds share caches and have no cookies.
      const { lang: query } = request.query as { lang?: unknown };
      const lang = chooseLang({ query, acceptLanguage: request.headers['accept-language'] });
      const { texts, changes } = build;
      const body = print({ lang, texts: texts[lang], url: ctx.urls.publicUrl, changes });
      const etag = etagOf(body);
      reply
        .header('cache-control', `public, max-age=${HOUR_SECONDS}`)
        .header('vary', 'accept-language')
        .header('etag', etag);
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.header('content-type', `${type}; charset=utf-8`).send(body);
    });
  addFeed(ATOM_PATH, ATOM_TYPE, atomFeed);
  addFeed(JSON_FEED_PATH, JSON_FEED_TYPE, (facts) => JSON.stringify(jsonFeed(facts), null, 2));
}

/** The home page is shown while the database is away, too: it says nothing about prices then. */
async function findCommonPrices(ctx: Context) {
  try {
    return await readCommonPrices(ctx);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

function sellerOf({ config }: Context) {
  const { name, businessId = '', address = '' } = config.payments.seller ?? {};
  return name === undefined ? undefined : { name, businessId, address };
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split('?').slice(1).join('?'));
}
