import type { FastifyInstance } from 'fastify';
import type { Provider } from '../channels/provider.ts';
import type { Context } from '../context.ts';
import { createRateLimiter, type RateLimiter } from '../limits/rate.ts';
import type { People } from '../people/people.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Activity } from './admission.ts';
import { addEndpoint } from './api/endpoint.ts';
import { health } from './api/health.ts';
import { describeApi } from './api/openapi.ts';
import { OPERATIONS } from './api/operations.ts';
import { authenticate } from './auth.ts';
import { addCabinetPages } from './cabinet/pages/cabinet-pages.ts';
import { addCabinet } from './cabinet/routes.ts';
import { addProviderCallbacks } from './callbacks/provider-callbacks.ts';
import { addPages } from './pages/add-pages.ts';
import { addShortLinks } from './pages/short-link.ts';
import { addInbox } from './sandbox/inbox.ts';
import { addTryPage } from './sandbox/try.ts';
import { countCalls } from './shed-load.ts';

/** Every route, in scopes whose name is their policy. */
export function addRoutes(
  app: FastifyInstance,
  ctx: Context,
  parts: { sandbox: Sandbox; activity: Activity; providers: readonly Provider[]; people: People },
): void {
  const { sandbox, activity, providers, people } = parts;
  app.register(async (scope) => open(scope, ctx), { prefix: '/api' });
  // One count of a key's calls, wherever they come from.
  const limiter = createRateLimiter();
  app.register(async (scope) => withApiKey(scope, ctx, { activity, limiter }), { prefix: '/api' });
  app.register(async (scope) => {
    countCalls(scope, activity);
    addProviderCallbacks(scope, ctx, providers);
  });
  app.register(async (scope) => addCabinet(scope, { ctx, people, sandbox, limiter }), {
    prefix: '/cabinet',
  });
  app.register(async (scope) => addInbox(scope, ctx, sandbox));
  app.register(async (scope) => addPages(scope, ctx));
  app.register(async (scope) => addCabinetPages(scope, ctx));
  app.register(async (scope) => {
    countCalls(scope, activity);
    addShortLinks(scope, ctx);
  });
  if (ctx.channels.isSandbox) app.register(async (scope) => addTryPage(scope, ctx, sandbox));
}

async function open(scope: FastifyInstance, ctx: Context): Promise<void> {
  // The health check takes any body, of any type, and reads none of it.
  scope.addHook('onRequest', async (request) => {
    if (request.headers['content-type'] !== undefined) {
      request.headers['content-type'] = 'application/octet-stream';
    }
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/health', handler: () => health(ctx) });
  scope.get('/openapi.json', () => describeApi(ctx.urls.publicUrl));
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
