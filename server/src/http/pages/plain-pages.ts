import type { LinkNotice } from '@zhiber/contract/pages.ts';
import type { FastifyReply } from 'fastify';
import { type Html, html } from './html.ts';
import { sendPage } from './send-page.ts';

/**
 * Pages for a server that runs without the build of `web/`. They need no file of it, so their few
 * words stand here.
 */

const NOTICES = {
  gone: html`<p lang="ru">Ссылка больше не работает.</p>
<p lang="kk">Сілтеме енді жұмыс істемейді.</p>
<p lang="en">This link no longer works.</p>`,
  closed: html`<p lang="ru">Ссылка закрыта.</p>
<p lang="kk">Сілтеме жабылған.</p>
<p lang="en">This link is closed.</p>`,
  unknown: html`<p lang="ru">Такой ссылки нет.</p>
<p lang="kk">Мұндай сілтеме жоқ.</p>
<p lang="en">There is no such link.</p>`,
  tooMany: html`<p lang="ru">Слишком много попыток. Подождите минуту.</p>
<p lang="kk">Әрекет тым көп. Бір минут күтіңіз.</p>
<p lang="en">Too many attempts. Wait a minute.</p>`,
} as const satisfies Record<LinkNotice, Html>;

const UNSUBSCRIBE = html`<p lang="ru">Отписаться от рассылок?</p>
<p lang="kk">Таратудан бас тартасыз ба?</p>
<p lang="en">Unsubscribe from broadcasts?</p>`;
const UNSUBSCRIBED = html`<p lang="ru">Вы отписались.</p>
<p lang="kk">Сіз бас тарттыңыз.</p>
<p lang="en">You have unsubscribed.</p>`;

const NOT_FOUND = html`<p lang="ru">Такой страницы нет.</p>
<p lang="kk">Мұндай бет жоқ.</p>
<p lang="en">There is no such page.</p>`;

const COMMAND = html`<code>npm run build</code>`;
const NOT_BUILT = html`<p lang="ru">API работает, но страницы не собраны. Выполните ${COMMAND} и запустите сервер снова.</p>
<p lang="kk">API жұмыс істеп тұр, бірақ беттер құрастырылмаған. ${COMMAND} пәрменін орындап, серверді қайта іске қосыңыз.</p>
<p lang="en">The API works, but the pages have not been built. Run ${COMMAND} and start the server again.</p>`;

/** 503: there is no build, and this is what to do about it. */
export function sendNotBuilt(reply: FastifyReply): FastifyReply {
  return sendPage(reply.code(503), plainPage(NOT_BUILT));
}

export function plainNotFound(): string {
  return plainPage(NOT_FOUND);
}

export function plainNotice(notice: LinkNotice): string {
  return plainPage(NOTICES[notice]);
}

/** The company, and one button for each scope that is left. */
export function plainUnsubscribe(
  company: string,
  unsubscribedFrom: 'company' | 'everyone' | null,
): string {
  const button = (scope: string, label: string) =>
    html`<p><button type="submit" name="scope" value="${scope}">${label}</button></p>`;
  return plainPage(html`<p>${company}</p>
${unsubscribedFrom === null ? UNSUBSCRIBE : UNSUBSCRIBED}
<form method="post">
${unsubscribedFrom === null && button('company', 'Отписаться / Таратудан бас тарту / Unsubscribe')}
${unsubscribedFrom !== 'everyone' && button('everyone', 'Ни от кого / Ешкімнен / From nobody')}
</form>`);
}

function plainPage(body: Html): string {
  return html`<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Zhiber</title>
</head>
<body>
<main>
<h1>Zhiber</h1>
${body}
</main>
</body>
</html>
`.markup;
}
