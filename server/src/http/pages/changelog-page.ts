import type { Lang } from '@zhiber/contract/languages.ts';
import type { Change } from '@zhiber/contract/pages/changelog.ts';
import { withCode } from './fill-text.ts';
import { type Html, html } from './html.ts';
import { localHref, renderPage, type View } from './layout.ts';

export const ATOM_PATH = '/changelog.atom';
export const JSON_FEED_PATH = '/changelog.json';
export const ATOM_TYPE = 'application/atom+xml';
export const JSON_FEED_TYPE = 'application/feed+json';

const MONTH_LOCALES: Record<Lang, string> = { ru: 'ru-KZ', kk: 'kk-KZ', en: 'en-GB' };

/** `/changelog`: by month, newest first, each entry with an address of its own. */
export function changelogPage(view: View, changes: readonly Change[]): string {
  const { lang } = view;
  const texts = view.texts.changelog;
  const months = Map.groupBy(changes, ({ date }) => date.slice(0, 7));
  const atom = localHref(ATOM_PATH, lang);
  const json = localHref(JSON_FEED_PATH, lang);
  const body = html`<div class="prose changelog">
<h1>${texts.title}</h1>
<p class="lead">${texts.lead}</p>
<p class="unchanged">${withCode(texts.unchanged)}</p>
<p class="note">${texts.feeds}: <a href="${atom}">Atom</a> · <a href="${json}">JSON Feed</a></p>
${[...months].map(([month, entries]) => monthSection(view, month, entries))}
<section aria-labelledby="policy"><h2 id="policy">${texts.policyTitle}</h2>
<div>${texts.policy.map((line) => html`<p>${withCode(line)}</p>\n`)}</div></section>
</div>`;
  return renderPage(view, {
    title: `${texts.title} · Zhiber`,
    description: texts.description,
    body,
    shell: 'site',
    isIndexed: true,
    feeds: [
      { href: atom, type: ATOM_TYPE, title: `Zhiber · ${texts.title}` },
      { href: json, type: JSON_FEED_TYPE, title: `Zhiber · ${texts.title}` },
    ],
  });
}

function monthSection(view: View, month: string, changes: readonly Change[]): Html {
  return html`<section aria-labelledby="${month}">
<h2 id="${month}"><time datetime="${month}">${monthTitle(month, view.lang)}</time></h2>
<ul class="changes">${changes.map((change) => entry(view, change))}</ul>
</section>\n`;
}

function entry({ lang, texts }: View, change: Change): Html {
  const { tags, permalink } = texts.changelog;
  const anchor = anchorOf(change);
  return html`<li id="${anchor}"><span class="chip tag-${change.tag}">${tags[change.tag]}</span>
<p>${withCode(change.text[lang])}</p>
<a class="permalink" href="#${anchor}" aria-label="${permalink}">#</a></li>\n`;
}

/** The month keeps ids short: `webhooks` may change again another year. */
export function anchorOf({ id, date }: Change): string {
  return `${date.slice(0, 7)}-${id}`;
}

/** `Ноябрь 2026`. */
function monthTitle(month: string, lang: Lang): string {
  const [year, number] = month.split('-') as [string, string];
  const name = new Intl.DateTimeFormat(MONTH_LOCALES[lang], { month: 'long', timeZone: 'UTC' });
  const title = name.format(new Date(`${year}-${number}-01T00:00:00Z`));
  return `${title.charAt(0).toLocaleUpperCase(MONTH_LOCALES[lang])}${title.slice(1)} ${year}`;
}
