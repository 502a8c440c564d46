import type { PublicTexts } from '@zhiber/contract/pages.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNetworkLimiter } from '../../abuse/network-rate.ts';
import { almatyTime } from '../../almaty.ts';
import type { Context } from '../../context.ts';
import { bankPath } from '../../payments/sandbox-bank.ts';
import {
  type ActOutcome,
  type BankApp,
  type BankOrder,
  type BankPayment,
  openBankApp,
} from '../../payments/sandbox-bank-app.ts';
import { Problem } from '../../problem.ts';
import { passOrderTime } from '../../topups/pass-order-time.ts';
import { type Html, html } from './html.ts';
import { langOf } from './language.ts';
import { createSiteView, localHref, renderPage, type View } from './layout.ts';
import { renderNotice } from './link-notice.ts';
import { formatMoney } from './money.ts';
import { sendNotBuilt } from './plain-pages.ts';
import { sendPage } from './send-page.ts';
import { sendUnknownPage } from './unknown-page.ts';
import type { WebBuild } from './web-build.ts';

const FORM_BYTES_MAX = 1024;
/** A public sandbox stores every payment, and nobody has to sign in to make one. */
const ACTS_PER_MINUTE_MAX = 60;
const AMOUNT_MAX = 1_000_000_000;
const URL = bankPath(':reference');

type Shown = { order: BankOrder; payments: readonly BankPayment[] };

/**
 * The app of the sandbox bank, as a page: pays an order in time, late, twice or with another amount,
 * cancels it, sends money back. There is no sign-in: nothing of it is worth anything.
 */
export function addSandboxBank(
  scope: FastifyInstance,
  ctx: Context,
  build: WebBuild | undefined,
): void {
  const { db, clock, secrets } = ctx;
  const bank = openBankApp({ db, clock, secrets, publicUrl: () => ctx.urls.publicUrl });
  const seller = ctx.config.payments.seller?.name ?? 'Zhiber';
  const limiter = createNetworkLimiter(ACTS_PER_MINUTE_MAX, ctx.nodes);
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  );
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    wrongAmount: string | undefined,
  ) => {
    if (build === undefined) return sendNotBuilt(reply);
    const found = await bank.find(referenceOf(request));
    if (found === undefined) return sendUnknownPage({ ctx, build }, request, reply);
    const view = createSiteView(build, ctx, request);
    const now = clock.now();
    return sendPage(reply, bankPage(view, { ...found, seller, now, wrongAmount }));
  };

  scope.get(URL, (request, reply) => show(request, reply, undefined));
  scope.post(URL, async (request, reply) => {
    const { isAllowed, waitSeconds } = limiter.take(request.ip);
    if (!isAllowed) {
      reply.code(429).header('retry-after', String(waitSeconds));
      return sendPage(reply, renderNotice(build, langOf(request), 'tooMany'));
    }
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const reference = referenceOf(request);
    const amount = form.get('act') === 'pay_other' ? readAmount(form.get('amount') ?? '') : 0;
    if (amount === undefined) {
      return await show(request, reply.code(422), form.get('amount') ?? '');
    }
    const outcome = await play({ ctx, bank }, { reference, form, amount });
    if (outcome === 'no_order') throw new Problem('not_found');
    // What is not possible any more was done in another window: the page shows it.
    return reply.redirect(localHref(bankPath(reference), langOf(request)), 303);
  });
}

function referenceOf(request: FastifyRequest): string {
  return (request.params as { reference: string }).reference;
}

function readAmount(text: string): number | undefined {
  const digits = text.replaceAll(/\s/g, '');
  const amount = /^\d{1,10}$/.test(digits) ? Number(digits) : 0;
  return amount >= 1 && amount <= AMOUNT_MAX ? amount : undefined;
}

async function play(
  { ctx, bank }: { ctx: Context; bank: BankApp },
  { reference, form, amount }: { reference: string; form: URLSearchParams; amount: number },
): Promise<ActOutcome> {
  const found = await bank.find(reference);
  if (found === undefined) return 'no_order';
  const asked = found.order.amount;
  switch (form.get('act')) {
    case 'pay':
      return await bank.pay(reference, [asked]);
    case 'pay_late':
      await passOrderTime(ctx, reference);
      return await bank.pay(reference, [asked]);
    case 'pay_twice':
      return await bank.pay(reference, [asked, asked]);
    case 'pay_other':
      return await bank.pay(reference, [amount]);
    case 'cancel':
      return await bank.cancel(reference);
    case 'refund':
      return await bank.refund(reference, form.get('payment') ?? '');
    default:
      return 'not_possible';
  }
}

function bankPage(
  view: View,
  shown: Shown & { seller: string; now: Date; wrongAmount: string | undefined },
): string {
  const { order, payments, seller, now, wrongAmount } = shown;
  const { bank } = view.texts;
  const amount = formatMoney(order.amount);
  const state = stateOf(shown, now);
  const body = html`<div class="bank">
<h1>${bank.title}</h1>
<p class="note">${bank.note}</p>
<p class="bank-amount">${amount}</p>
<p><span class="chip ${state.look}">${bank.states[state.name]}</span></p>
<dl class="bank-facts">
<div><dt>${bank.seller}</dt><dd>${seller}</dd></div>
<div><dt>${bank.purpose}</dt><dd>${order.description}</dd></div>
<div><dt>${bank.reference}</dt><dd translate="no">${order.reference}</dd></div>
<div><dt>${bank.until}</dt><dd>${time(order.expires_at)} · ${bank.almaty}</dd></div>
</dl>
${order.cancelled_at === null && acts(view, { isPaid: payments.length > 0, wrongAmount })}
${payments.length > 0 && paymentList(view, payments)}
<p class="bank-back"><a href="/app/balance">${bank.toBalance}</a></p>
</div>`;
  return renderPage(view, {
    title: `${amount} · ${bank.title}`,
    body,
    shell: 'bare',
    isIndexed: false,
  });
}

type State = { name: keyof PublicTexts['bank']['states']; look: string };

function stateOf({ order, payments }: Shown, now: Date): State {
  if (payments.length > 0) return { name: 'paid', look: 'good' };
  if (order.cancelled_at !== null) return { name: 'cancelled', look: 'bad' };
  if (order.expires_at <= now) return { name: 'expired', look: 'warn' };
  return { name: 'waiting', look: 'calm' };
}

function acts(
  view: View,
  { isPaid, wrongAmount }: { isPaid: boolean; wrongAmount: string | undefined },
): Html {
  const { bank } = view.texts;
  if (isPaid) return actButton(view, { act: 'pay', label: bank.payAgain });
  return html`${actButton(view, { act: 'pay', label: bank.pay, isMain: true })}
<h2>${bank.otherWays}</h2>
${actButton(view, { act: 'pay_late', label: bank.payLate })}
${actButton(view, { act: 'pay_twice', label: bank.payTwice })}
${otherAmount(view, wrongAmount)}
${actButton(view, { act: 'cancel', label: bank.cancel })}`;
}

function actButton(
  { lang }: View,
  button: { act: string; label: string; isMain?: boolean; payment?: string; about?: string },
): Html {
  const { act, label, isMain, payment, about } = button;
  return html`<form method="post" action="?lang=${lang}">
<input type="hidden" name="act" value="${act}">
${payment !== undefined && html`<input type="hidden" name="payment" value="${payment}">`}
<button type="submit" class="button${isMain === true && ' main'}">${label}${
    about !== undefined && html`<span class="visually-hidden"> ${about}</span>`
  }</button>
</form>`;
}

function otherAmount({ lang, texts }: View, wrong: string | undefined): Html {
  const { bank } = texts;
  const problem = html` aria-invalid="true" aria-describedby="wrong-amount" autofocus`;
  return html`<form method="post" action="?lang=${lang}" class="bank-other">
<input type="hidden" name="act" value="pay_other">
<label for="amount">${bank.otherAmount}</label>
<input id="amount" name="amount" inputmode="numeric" autocomplete="off" required maxlength="14" value="${wrong ?? ''}"${wrong !== undefined && problem}>
<button type="submit" class="button">${bank.payOther}</button>
${wrong !== undefined && html`<p id="wrong-amount" class="bank-wrong">${bank.wrongAmount}</p>`}
</form>`;
}

function paymentList(view: View, payments: readonly BankPayment[]): Html {
  const { bank } = view.texts;
  const money = (tokens: number) => formatMoney(tokens);
  const rows = payments.map(({ id, amount, paid_at, refunded, notified_at }) => {
    const left = amount - refunded;
    return html`<li>
<p><strong>${money(amount)}</strong> <span class="bank-time">${time(paid_at)}</span></p>
<p class="note">${notified_at === null ? bank.notNotified : bank.notified}</p>
${refunded > 0 && html`<p>${bank.refunded} ${money(refunded)}</p>`}
${left > 0 && actButton(view, { act: 'refund', label: bank.refund, payment: id, about: money(left) })}
</li>`;
  });
  return html`<h2>${bank.paymentsTitle}</h2><ul class="bank-payments">${rows}</ul>`;
}

function time(at: Date): string {
  const [date = '', clock = ''] = almatyTime(at).split(' ');
  return `${date.split('-').toReversed().join('.')}, ${clock.slice(0, 5)}`;
}
