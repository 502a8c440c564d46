import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { FIRST_TOPUP_BONUS, type Prices, WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import {
  ESTIMATE_MESSAGES_MAX,
  estimateCost,
  type Shares,
} from '@zhiber/contract/pages/price-estimate.ts';
import { fillText, withCode } from './fill-text.ts';
import { type Html, html } from './html.ts';
import { localHref, renderPage, type View } from './layout.ts';
import { formatMoney, formatNumber } from './money.ts';

export type PricingFacts = {
  /** What everybody pays now; a company's own prices are in its cabinet. */
  prices: Prices;
  isSmsPerPart: boolean;
  topupMin: number;
  /** What was asked of the calculator. */
  asked: URLSearchParams;
};

/** As typed: a wrong answer is shown again with what is wrong about it. */
type Asked = { messages: string; shares: Record<Channel, string> };

const EXAMPLE: Asked = {
  messages: '10000',
  shares: { whatsapp: '70', telegram: '15', sms: '15' },
};

/** `/pricing`: one table of the prices in force, what is never charged, and a calculator. */
export function pricingPage(view: View, facts: PricingFacts): string {
  const texts = view.texts.pricing;
  const body = html`<div class="wide pricing">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
${priceTable(view, facts)}
<p class="note">${texts.token}</p>
${calculator(view, facts)}
<div class="pricing-notes">
<section aria-labelledby="never"><h2 id="never">${texts.neverTitle}</h2>
<ul class="dashes">${texts.never.map((line) => html`<li>${withCode(line)}</li>\n`)}</ul></section>
<section aria-labelledby="auto"><h2 id="auto">${texts.autoTitle}</h2><p>${texts.auto}</p></section>
${credits(view, facts)}
</div>
</div>`;
  return renderPage(view, {
    title: `${texts.title} · Zhiber`,
    description: texts.description,
    body,
    shell: 'site',
    isIndexed: true,
    query: facts.asked,
  });
}

/** Roles are spelled out: the narrow layout turns rows into blocks, which drops those of a table. */
function columnHeader(title: string): Html {
  return html`<th role="columnheader" scope="col">${title}</th>`;
}

function priceTable({ texts }: View, { prices, isSmsPerPart }: PricingFacts): Html {
  const { columns, rows, perMessage, perPart, smsPerPart, free } = texts.pricing;
  const wordsOf = (name: keyof typeof rows) =>
    name === 'sms' && isSmsPerPart
      ? { unit: perPart, note: smsPerPart }
      : { unit: perMessage, note: rows[name].note };
  const row = (name: keyof typeof rows, tokens: number) => html`<tr role="row">
<th role="rowheader" scope="row">${rows[name].title}</th>
<td role="cell" class="amount"><strong>${formatMoney(tokens)}</strong> <span>${tokens === 0 ? free : wordsOf(name).unit}</span></td>
<td role="cell">${wordsOf(name).note}</td>
</tr>\n`;
  return html`<table class="prices" role="table">
<thead role="rowgroup"><tr role="row">${[columns.what, columns.price, columns.when].map(columnHeader)}</tr></thead>
<tbody role="rowgroup">
${CHANNELS.map((channel) => row(channel, prices[channel]))}
${row('group', prices.group)}
${row('shorten', 0)}
${row('verify', 0)}
</tbody>
</table>`;
}

function credits({ lang, texts }: View, { prices, topupMin }: PricingFacts): Html {
  const words = texts.pricing;
  const pays = (price: number) => formatNumber(Math.floor(WELCOME_BONUS / price), lang);
  const welcome = formatMoney(WELCOME_BONUS);
  // A free channel would make the comparison endless.
  const isPriced = prices.whatsapp > 0 && prices.sms > 0;
  return html`<section aria-labelledby="credits"><h2 id="credits">${words.bonusTitle}</h2>
<ul class="dashes">
${isPriced && html`<li>${fillText(words.welcome, { welcome, whatsapp: pays(prices.whatsapp), sms: pays(prices.sms) })}</li>`}
<li>${fillText(words.firstTopup, { bonus: formatMoney(FIRST_TOPUP_BONUS) })}</li>
<li>${fillText(words.minimum, { amount: formatMoney(topupMin) })}</li>
</ul></section>`;
}

/** A form that the server answers; the script of the page only saves the way there. */
function calculator({ lang, texts }: View, { prices, asked }: PricingFacts): Html {
  const words = texts.pricing.calculator;
  const typed = asked.has('messages') ? readAsked(asked) : EXAMPLE;
  const { messages, shares, problems } = parseAsked(typed);
  const estimate =
    problems.length === 0 && messages !== undefined && shares !== undefined
      ? estimateCost(messages, shares, prices)
      : undefined;
  const max = formatNumber(ESTIMATE_MESSAGES_MAX, lang);
  const sum = sumOf(typed.shares);
  const problemText = {
    messages: fillText(words.wrongMessages, { max }),
    shares: fillText(words.wrongShares, { sum }),
  };
  const invalid = (field: Problem) =>
    problems.includes(field) && html` aria-invalid="true" aria-describedby="estimate-problem"`;
  const rows = CHANNELS.map((channel) => {
    const part = estimate?.channels[channel];
    return html`<tr role="row" data-channel="${channel}" data-price="${prices[channel]}">
<th role="rowheader" scope="row"><label for="${channel}">${CHANNEL_TITLES[channel]}</label></th>
<td role="cell"><input id="${channel}" name="${channel}" inputmode="numeric" autocomplete="off" value="${typed.shares[channel]}"${invalid('shares')}><span class="narrow-only"> %</span></td>
<td role="cell" class="amount" data-count>${part && `${formatNumber(part.count, lang)} × ${formatMoney(prices[channel])}`}</td>
<td role="cell" class="amount" data-cost>${part && formatMoney(part.cost)}</td>
</tr>\n`;
  });
  return html`<section class="calculator" aria-labelledby="calculator">
<h2 id="calculator">${words.title}</h2>
<p class="section-lead">${words.lead}</p>
<form method="get" action="/pricing#calculator" data-calculator data-wrong-messages="${problemText.messages}" data-wrong-shares="${words.wrongShares}">
<input type="hidden" name="lang" value="${lang}">
<div>
<p class="calculator-messages"><label for="messages">${words.messages}</label>
<input id="messages" name="messages" inputmode="numeric" autocomplete="off" value="${typed.messages}"${invalid('messages')}></p>
<table role="table">
<thead role="rowgroup"><tr role="row">${[texts.pricing.columns.what, words.share, words.count, words.cost].map(columnHeader)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>
<p class="calculator-problem" id="estimate-problem" role="alert">${problems.map((problem) => problemText[problem]).join(' ')}</p>
<button type="submit" class="button large">${words.calculate}</button>
</div>
<div class="calculator-total">
<p class="calculator-sum">${words.total} <output for="messages whatsapp telegram sms">${estimate && formatMoney(estimate.total)}</output></p>
<a class="button main large" href="${localHref('/signup', lang)}">${texts.pricing.signUp}</a>
</div>
</form>
</section>`;
}

type Problem = 'messages' | 'shares';

function readAsked(query: URLSearchParams): Asked {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, 20);
  return {
    messages: text('messages'),
    shares: { whatsapp: text('whatsapp'), telegram: text('telegram'), sms: text('sms') },
  };
}

function parseAsked({ messages: typed, shares }: Asked): {
  messages?: number;
  shares?: Shares;
  problems: Problem[];
} {
  const messages = wholeNumber(typed.replaceAll(/\s/g, ''));
  const parsed = CHANNELS.map((channel) => wholeNumber(shares[channel] || '0'));
  const [whatsapp = 0, telegram = 0, sms = 0] = parsed;
  const problems: Problem[] = [];
  if (messages === undefined || messages < 1 || messages > ESTIMATE_MESSAGES_MAX) {
    problems.push('messages');
  }
  if (parsed.includes(undefined) || whatsapp + telegram + sms !== 100) problems.push('shares');
  if (problems.length > 0 || messages === undefined) return { problems };
  return { messages, shares: { whatsapp, telegram, sms }, problems };
}

function sumOf(shares: Asked['shares']): number {
  return CHANNELS.reduce((sum, channel) => sum + (wholeNumber(shares[channel]) ?? 0), 0);
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
