import type { Lang } from '@zhiber/contract/languages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNetworkLimiter, type NetworkLimiter } from '../../abuse/network-rate.ts';
import type { Context } from '../../context.ts';
import { paperNumber } from '../../paper-number.ts';
import { type ConfirmedReceipt, confirmReceipt } from '../../papers/confirm-receipt.ts';
import { html } from './html.ts';
import { createSiteView, renderPage, type View } from './layout.ts';
import { linkNoticePage } from './link-notice.ts';
import { formatMoney } from './money.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import type { WebBuild } from './web-build.ts';

/** Somebody types a code from paper and makes mistakes; a program that tries codes does not get far. */
const UNKNOWN_CODES_PER_MINUTE_MAX = 20;

/** `/receipt/CODE`: confirms to whoever holds a receipt that it is genuine. */
export function addReceiptPage(
  app: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const limiter = createNetworkLimiter(UNKNOWN_CODES_PER_MINUTE_MAX, ctx.nodes);
  app.get('/receipt/:code', { exposeHeadRoute: true }, async (request, reply) => {
    if (build === undefined) return sendNotBuilt(reply);
    const { code } = request.params as { code: string };
    const view = createSiteView(build, ctx, request);
    reply.header('x-robots-tag', 'noindex');
    const receipt = await confirmReceipt(ctx, code);
    if (receipt !== undefined) return sendPage(reply, receiptPage(view, receipt));
    return refuse({ view, limiter }, request, reply);
  });
}

function refuse(
  { view, limiter }: { view: View; limiter: NetworkLimiter },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { isAllowed, waitSeconds } = limiter.take(request.ip);
  if (isAllowed) return sendPage(reply.code(404), unknownReceiptPage(view));
  reply.header('retry-after', String(waitSeconds));
  return sendPage(reply.code(429), linkNoticePage(view, 'tooMany'));
}

function receiptPage(view: View, receipt: ConfirmedReceipt): string {
  const texts = view.texts.receipts;
  const money = (tokens: number) => formatMoney(tokens);
  const { number, amount, refunded } = receipt;
  const body = html`<div class="prose">
<h1>${texts.genuine}</h1>
${receipt.isSample && html`<p><strong>${texts.sample}</strong></p>`}
<dl class="facts">
<dt>${texts.number}</dt><dd>${paperNumber(number)}</dd>
<dt>${texts.amount}</dt><dd>${money(amount)}</dd>
<dt>${texts.paidAt}</dt><dd>${formatTime(receipt.paidAt, view.lang)} · ${texts.almaty}</dd>
<dt>${texts.seller}</dt><dd>${receipt.seller}</dd>
<dt>${texts.payer}</dt><dd>${receipt.payer}</dd>
<dt>${texts.refund}</dt><dd>${refunded === 0 ? texts.notRefunded : refunded === amount ? texts.refundedWhole : `${texts.refundedPart} ${money(refunded)}`}</dd>
</dl>
<p class="note">${texts.compare}</p>
</div>`;
  return renderPage(view, {
    title: `${texts.genuine} · Zhiber`,
    body,
    shell: 'bare',
    isIndexed: false,
  });
}

function unknownReceiptPage(view: View): string {
  const { title, text } = view.texts.receipts.unknown;
  return renderPage(view, {
    title: `${title} · Zhiber`,
    body: html`<div class="notice-page"><h1>${title}</h1><p>${text}</p></div>`,
    shell: 'bare',
    isIndexed: false,
  });
}

const LOCALES: Record<Lang, string> = { ru: 'ru-KZ', kk: 'kk-KZ', en: 'en-GB' };

function formatTime(at: Date, lang: Lang): string {
  return new Intl.DateTimeFormat(LOCALES[lang], {
    timeZone: 'Asia/Almaty',
    dateStyle: 'long',
    timeStyle: 'short',
  }).format(at);
}
