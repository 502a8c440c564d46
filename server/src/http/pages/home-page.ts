import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import * as limits from '@zhiber/contract/api/limits.ts';
import { type Prices, WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { API_URL_MARK, type PublicSnippets } from '@zhiber/contract/pages/snippets.ts';
import type { Seller } from '../../papers/seller.ts';
import { fillText, withCode } from './fill-text.ts';
import { type Html, html } from './html.ts';
import { codeBlock, localHref, readableContact, renderPage, type View } from './layout.ts';
import { formatMoney } from './money.ts';

export type HomeFacts = {
  apiUrl: string;
  /** What everybody pays now. Undefined while they cannot be read: the page says nothing then. */
  prices: Prices | undefined;
  isSmsPerPart: boolean;
  snippets: PublicSnippets;
  /** Who runs the installation, where its settings say so. */
  seller: Pick<Seller, 'name' | 'businessId' | 'address'> | undefined;
};

const VERIFY_ANSWER = JSON.stringify({ success: true, message: 'Код подтверждён' }, null, 2);

/** The code on the phone of the drawing. */
const SHOWN_CODE = '481920';

const CHECK_ICON = html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M4 10.5l4 4 8-9"/></svg>`;

/** `/`: what this is and for whom, in one look, and where to go next. */
export function homePage(view: View, facts: HomeFacts): string {
  const texts = view.texts.home;
  const body = html`<div class="home">
${hero(view, facts.prices)}
${code(view, facts)}
${fallback(view)}
${channels(view, facts)}
${security(view)}
${questions(view)}
${operator(view, facts.seller)}
</div>`;
  const { pageTitle: title, description } = texts;
  return renderPage(view, { title, description, body, shell: 'site', isIndexed: true });
}

/** The sandbox is tried before anything else; elsewhere a company begins with its cabinet. */
function hero({ lang, texts, isSandbox }: View, prices: Prices | undefined): Html {
  const { title, lead, tryIt, readDocs, signUp, bonus, prices: pricesText } = texts.home;
  const button = (look: string, path: string, words: string) =>
    html`<a class="button ${look}" href="${localHref(path, lang)}">${words}</a>`;
  return html`<section class="hero">
<div class="hero-words">
<h1>${title}</h1>
<p class="lead">${lead}</p>
<p class="hero-buttons">${
    isSandbox
      ? [button('main large', '/try', tryIt), button('large', '/signup', signUp)]
      : [button('main large', '/signup', signUp), button('large', '/docs', readDocs)]
  }</p>
${prices !== undefined && html`<p class="hero-prices">${fillText(pricesText, pricesOf(prices))}</p>`}
<p class="note">${fillText(bonus, { bonus: formatMoney(WELCOME_BONUS) })}</p>
</div>
${phone(texts.home.phone)}
</section>`;
}

function pricesOf(prices: Prices): Record<Channel, string> {
  const price = (channel: Channel) => formatMoney(prices[channel]);
  return { whatsapp: price('whatsapp'), telegram: price('telegram'), sms: price('sms') };
}

/** A drawing: screen readers hear its one sentence. */
function phone(texts: View['texts']['home']['phone']): Html {
  const message = fillText(texts.message, { code: SHOWN_CODE });
  const [before = '', after = ''] = message.split(SHOWN_CODE);
  return html`<div class="phone" role="img" aria-label="${texts.label}">
<p class="phone-bar"><strong>10:42</strong><svg class="icon" viewBox="0 0 20 20"><path d="M4 15v-2M8 15v-5M12 15V7M16 15V4"/></svg></p>
<div class="phone-screen">
<div class="phone-message">
<p class="phone-from"><strong>WhatsApp</strong><span>10:42:07</span></p>
<p lang="ru">${before}<strong>${SHOWN_CODE}</strong>${after}</p>
<p class="phone-state">${CHECK_ICON}${texts.delivered}</p>
</div>
<div class="phone-form">
<p>${texts.formTitle}</p>
<p class="phone-digits">${[...SHOWN_CODE].map((digit) => html`<span>${digit}</span>`)}</p>
<p class="phone-done">${CHECK_ICON}${texts.confirmed}</p>
</div>
</div>
</div>`;
}

function channels({ lang, texts }: View, { prices, isSmsPerPart }: HomeFacts): Html {
  const words = texts.home.channels;
  const cards = CHANNELS.map(
    (channel) => html`<li><h3>${CHANNEL_TITLES[channel]}</h3>
${prices !== undefined && html`<p class="price"><strong>${formatMoney(prices[channel])}</strong> ${channel === 'sms' && isSmsPerPart ? words.perPart : words.perMessage}</p>`}
<p>${words[channel]}</p></li>\n`,
  );
  return html`<section aria-labelledby="channels">
<h2 id="channels">${words.title}</h2>
<p class="section-lead">${withCode(words.lead)}</p>
<ul class="cards">${cards}</ul>
<p class="section-foot">${withCode(words.notCharged)} <a href="${localHref('/pricing', lang)}">${words.allPrices}</a></p>
</section>`;
}

function fallback({ texts }: View): Html {
  const { title, lead, charge, steps: words } = texts.home.fallback;
  const seconds = limits.FALLBACK_SECONDS_DEFAULT;
  const step = (look: string, head: string, text: string, time: string) =>
    html`<li class="${look}"><span class="story-time">${time}</span><span>${head !== '' && html`<strong>${head}</strong> `}${withCode(text)}</span></li>\n`;
  return html`<section aria-labelledby="fallback">
<h2 id="fallback">${title}</h2>
<p class="section-lead">${lead}</p>
<ol class="story">
${step('calm', '', words.sent, '10:42:07')}
${step('waiting', CHANNEL_TITLES.whatsapp, fillText(words.silent, { seconds }), '10:42:37')}
${step('calm', '', words.next, '10:42:37')}
${step('good', CHANNEL_TITLES.sms, words.delivered, '10:42:41')}
${step('good', '', words.verified, '10:42:58')}
</ol>
<p class="section-foot">${charge}</p>
</section>`;
}

/** The languages are a choice of radio buttons, which the styles follow without a script. */
function code(view: View, { apiUrl, prices, snippets }: HomeFacts): Html {
  const words = view.texts.home.code;
  const choices = snippets.languages.map(
    ({ id, title }, at) =>
      html`<label><input type="radio" name="code-language" value="${id}"${at === 0 && html` checked`}>${title}</label>\n`,
  );
  const block = (operation: keyof PublicSnippets['code'], label: string) =>
    snippets.languages.map(({ id, title }) => {
      const printed = snippets.code[operation][id] ?? '';
      return html`<div class="snippet" data-language="${id}">${codeBlock(view, {
        id: `${operation}-${id}`,
        label: `${label} · ${title}`,
        code: printed.replaceAll(API_URL_MARK, apiUrl),
      })}</div>\n`;
    });
  return html`<section class="home-code" aria-labelledby="code">
<h2 id="code">${words.title}</h2>
<p class="section-lead">${words.lead} ${withCode(words.testNote)}</p>
<fieldset class="code-languages"><legend class="visually-hidden">${words.languages}</legend>${choices}</fieldset>
<div class="code-pair">
<div>${block('otpSend', words.send)}
${codeBlock(view, { id: 'send-answer', label: words.answer, code: sendAnswer(prices) })}</div>
<div>${block('otpVerify', words.verify)}
${codeBlock(view, { id: 'verify-answer', label: words.answer, code: VERIFY_ANSWER })}</div>
</div>
<p class="note">${withCode(words.keyNote)}</p>
</section>`;
}

/** What `/otp/send` answers at these prices, right after signing up. */
function sendAnswer(prices: Prices | undefined): string {
  const answer = {
    success: true,
    message: 'Код отправлен через WhatsApp',
    expires_in: limits.CODE_TTL_SECONDS_DEFAULT,
    channel: 'whatsapp',
    message_id: '0199f3a2-6c1e-7b54-9d0a-3f1c2b7e8a90',
    ...(prices && { cost: prices.whatsapp, balance: WELCOME_BONUS - prices.whatsapp }),
  };
  return JSON.stringify(answer, null, 2);
}

function security({ texts }: View): Html {
  const { title, points } = texts.home.security;
  return html`<section aria-labelledby="security">
<h2 id="security">${title}</h2>
<ul class="points">${points.map((point) => html`<li>${CHECK_ICON}<div><h3>${point.title}</h3><p>${withCode(point.text)}</p></div></li>\n`)}</ul>
</section>`;
}

function questions({ texts }: View): Html {
  const { title, list } = texts.home.questions;
  return html`<section aria-labelledby="questions">
<h2 id="questions">${title}</h2>
<div class="questions">${list.map((item) => html`<details><summary>${item.title}</summary><p>${withCode(item.text)}</p></details>\n`)}</div>
</section>`;
}

function operator({ texts, site }: View, seller: HomeFacts['seller']): Html {
  const words = texts.home.operator;
  const contact = site?.supportContact;
  return html`<section class="operator" aria-labelledby="operator">
<h2 id="operator">${words.title}</h2>
${seller === undefined ? html`<p>${words.unnamed}</p>` : html`<p><strong>${seller.name}</strong>, ${words.businessId} ${seller.businessId}. ${words.address}: ${seller.address}.</p>`}
${contact !== undefined && html`<p>${words.support}: <a href="${contact}">${readableContact(contact)}</a></p>`}
</section>`;
}
