import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  readUnsubscribeLink,
  type UnsubscribeScope,
  type UnsubscribeState,
  unsubscribeByLink,
} from '../../broadcasts/unsubscribe/unsubscribe-by-link.ts';
import type { Context } from '../../context.ts';
import { maskPhone } from '../../phone.ts';
import { html } from './html.ts';
import { langOf } from './language.ts';
import { createView, renderPage, type View } from './layout.ts';
import { plainUnsubscribe } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import type { WebBuild } from './web-build.ts';

/** What the pages under the address of short links share. */
export type ShortLinkParts = {
  ctx: Context;
  build: WebBuild | undefined;
  /** The path of short links, without a slash at its end. */
  folder: string;
  constraints: Record<string, string>;
  /** Answers an address that leads nowhere, and counts it. */
  refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply;
};

const FORM_BYTES_MAX = 1024;

/**
 * `/u/TOKEN` beside the short links, in every broadcast that has a link. Opening it changes nothing,
 * because messengers open links for their previews; the button does. A mail program may post
 * `List-Unsubscribe=One-Click` instead (RFC 8058).
 */
export function addUnsubscribePage(app: FastifyInstance, parts: ShortLinkParts): void {
  const { ctx, folder, constraints } = parts;
  const url = `${folder}/u/:token`;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  app.route({
    method: ['GET', 'HEAD'],
    url,
    constraints,
    handler: async (request, reply) =>
      show(parts, { request, reply }, await readUnsubscribeLink(ctx, tokenOf(request))),
  });
  app.route({
    method: 'POST',
    url,
    constraints,
    async handler(request, reply) {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const scope: UnsubscribeScope = form.get('scope') === 'everyone' ? 'everyone' : 'company';
      const state = await unsubscribeByLink(ctx, tokenOf(request), scope);
      return show(parts, { request, reply }, state);
    },
  });
}

function tokenOf(request: FastifyRequest): string {
  return (request.params as { token: string }).token;
}

function show(
  { build, refuse }: ShortLinkParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  state: UnsubscribeState | undefined,
): FastifyReply {
  if (state === undefined) return refuse(request, reply);
  const markup =
    build === undefined
      ? plainUnsubscribe(state.company, state.unsubscribedFrom)
      : unsubscribePage(createView(build, langOf(request), false), state);
  return sendPage(reply.header('x-robots-tag', 'noindex'), markup).header(
    'cache-control',
    'no-store',
  );
}

export function unsubscribePage(view: View, state: UnsubscribeState): string {
  const { company, phone, unsubscribedFrom } = state;
  const texts = view.texts.unsubscribe;
  const { title, note } = {
    none: { title: texts.title, note: texts.note },
    company: { title: texts.done, note: texts.doneNote },
    everyone: { title: texts.doneEveryone, note: texts.doneEveryoneNote },
  }[unsubscribedFrom ?? 'none'];
  const body = html`<div class="notice-page">
<h1>${title}</h1>
<p>${unsubscribedFrom !== 'everyone' && html`${texts.from}: <strong>${company}</strong><br>`}${texts.phone}: <span translate="no">${maskPhone(phone)}</span></p>
<p>${note}</p>
${
  unsubscribedFrom !== 'everyone' &&
  html`<form method="post" action="?lang=${view.lang}">
${unsubscribedFrom === null && html`<button type="submit" class="button main" name="scope" value="company">${texts.unsubscribe}</button>`}
<button type="submit" class="button" name="scope" value="everyone">${texts.fromEveryone}</button>
</form>`
}
</div>`;
  return renderPage(view, { title, body, shell: 'bare', isIndexed: false });
}
