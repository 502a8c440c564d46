import type { FastifyInstance } from 'fastify';
import { createRateLimiter, type RateLimiter } from '../abuse/rate.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { Provider } from '../channels/provider.ts';
import type { Context } from '../context.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { addAdmin } from './admin/routes.ts';
import { addApiDescription, addRequestCollections } from './api/add-description.ts';
import { authenticate } from './api/authenticate.ts';
import { addEndpoint } from './api/endpoint.ts';
import { health } from './api/health.ts';
import { OPERATIONS } from './api/operations.ts';
import { addCabinet } from './cabinet/routes.ts';
import { addPaymentNotices } from './callbacks/payment-notices.ts';
import { addProviderCallbacks } from './callbacks/provider-callbacks.ts';
import { addSitePages } from './pages/add-site-pages.ts';
import { addBuiltAssets, addDocuments, announcePages } from './pages/built-pages.ts';
import { addDocs } from './pages/docs/add-docs.ts';
import { addInbox } from './pages/inbox.ts';
import { addReceiptPage } from './pages/receipt-page.ts';
import { addSandboxBank } from './pages/sandbox-bank.ts';
import { addSandboxEvents } from './pages/sandbox-events.ts';
import { addShortLinks } from './pages/short-link.ts';
import { addSiteFiles } from './pages/site-files.ts';
import { addStatusPages } from './pages/status/add-status-pages.ts';
import { addTryEndpoints } from './pages/try.ts';
import type { WebBuild } from './pages/web-build.ts';
import type { Activity } from './transport/admission.ts';
import { countCalls } from './transport/shed-load.ts';

/** Registers every route. Each scope function below is named after its access policy. */
export function addRoutes(
  app: FastifyInstance,
  ctx: Context,
  parts: {
    sandbox: Sandbox;
    activity: Activity;
    providers: readonly Provider[];
    accounts: Accounts;
    build: WebBuild | undefined;
  },
): void {
  const { sandbox, activity, providers, accounts, build } = parts;
  app.register(async (scope) => open(scope, ctx), { prefix: '/api' });
  // Shared by the API and the cabinet, so that a key has one rate limit.
  const limiter = createRateLimiter({ nodes: ctx.nodes.answering });
  app.register(async (scope) => withApiKey(scope, ctx, { activity, limiter }), { prefix: '/api' });
  app.register(async (scope) => {
    countCalls(scope, activity);
    addProviderCallbacks(scope, ctx, providers);
  });
  app.register(async (scope) => {
    countCalls(scope, activity);
    addPaymentNotices(scope, ctx);
  });
  app.register(
    async (scope) => {
      announcePages(scope, build);
      addCabinet(scope, { ctx, accounts, sandbox, limiter });
    },
    { prefix: '/cabinet' },
  );
  app.register(
    async (scope) => {
      announcePages(scope, build);
      addAdmin(scope, { ctx, accounts });
    },
    { prefix: '/admin/api' },
  );
  app.register(async (scope) => addInbox(scope, ctx, sandbox));
  app.register(async (scope) => addSandboxEvents(scope, ctx));
  app.register(async (scope) => addBuiltAssets(scope, ctx.config, build));
  app.register(async (scope) => addSiteFiles(scope, ctx, build));
  app.register(async (scope) => addRequestCollections(scope, ctx));
  app.register(async (scope) => addDocs(scope, ctx, build));
  app.register(async (scope) => addStatusPages(scope, ctx, build));
  app.register(async (scope) => addSitePages(scope, ctx, build));
  app.register(async (scope) => addReceiptPage(scope, ctx, build));
  app.register(async (scope) => addDocuments(scope, ctx.channels, build));
  app.register(async (scope) => {
    countCalls(scope, activity);
    addShortLinks(scope, ctx, build);
  });
  if (ctx.channels.isSandbox) {
    app.register(async (scope) => addTryEndpoints(scope, ctx, sandbox));
    app.register(async (scope) => addSandboxBank(scope, ctx, build));
  }
}

async function open(scope: FastifyInstance, ctx: Context): Promise<void> {
  // The health check accepts a body of any content type and ignores it.
  scope.addHook('onRequest', async (request) => {
    if (request.headers['content-type'] !== undefined) {
      request.headers['content-type'] = 'application/octet-stream';
    }
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/health', handler: () => health(ctx) });
  addApiDescription(scope, ctx);
}

async function withApiKey(
  scope: FastifyInstance,
  ctx: Context,
  { activity, limiter }: { activity: Activity; limiter: RateLimiter },
): Promise<void> {
  scope.addHook('onRequest', (request, reply) => authenticate(ctx, limiter, request, reply));
  countCalls(scope, activity);
  for (const operation of Object.values(OPERATIONS)) addEndpoint(scope, ctx, operation);
}
