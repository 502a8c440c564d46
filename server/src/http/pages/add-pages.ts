import { ERROR_CODES, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { errorPage, errorsPage, unknownErrorPage } from './error-pages.ts';
import { createSiteView, type View } from './layout.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import type { WebBuild } from './web-build.ts';

type Render = (view: View, request: FastifyRequest, reply: FastifyReply) => string;

/** The catalogue of errors. */
export function addPages(app: FastifyInstance, ctx: Context, build: WebBuild | undefined): void {
  const addPage = (url: string, render: Render) =>
    app.get(url, { exposeHeadRoute: true }, (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      const view = createSiteView(build, ctx, request);
      return sendPage(reply, render(view, request, reply));
    });

  addPage('/docs/errors', errorsPage);
  addPage('/docs/errors/:code', (view, request, reply) => {
    const { code } = request.params as { code: string };
    if (isErrorCode(code)) return errorPage(view, code, ctx.urls.publicUrl);
    reply.code(404);
    return unknownErrorPage(view);
  });
}

function isErrorCode(text: string): text is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(text);
}
