import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { homePage } from './home-page.ts';
import { langOf } from './language.ts';
import { createView, type View } from './layout.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import type { WebBuild } from './web-build.ts';

type Render = (view: View, request: FastifyRequest, reply: FastifyReply) => string;

/** The public pages. */
export function addPages(app: FastifyInstance, ctx: Context, build: WebBuild | undefined): void {
  const addPage = (url: string, render: Render) =>
    app.get(url, { exposeHeadRoute: true }, (request, reply) => {
      if (build === undefined) return sendNotBuilt(reply);
      const view = createView(build, langOf(request), ctx.channels.isSandbox);
      return sendPage(reply, render(view, request, reply));
    });

  addPage('/', (view) => homePage(view, `${ctx.urls.publicUrl}/api`));
}
