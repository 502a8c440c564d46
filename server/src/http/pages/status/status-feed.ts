import type { Lang } from '@zhiber/contract/languages.ts';
import type { PublicIncident, StatusSnapshot, StatusTexts } from '@zhiber/contract/pages/status.ts';
import { type Html, html } from '../html.ts';
import { updateLabel } from './status-page.ts';
import { formatMoment, formatSpan } from './status-times.ts';

/** Readers of feeds show as many; older ones stay on the page. */
const ENTRIES_MAX = 50;

/** `/status/history.atom`: an entry for each incident and each maintenance, changed by every text. */
export function statusFeed(
  { incidents, siteUrl, at }: StatusSnapshot,
  lang: Lang,
  texts: StatusTexts,
): string {
  const page = `${siteUrl}/status`;
  const entries = incidents.slice(0, ENTRIES_MAX);
  const updated = entries
    .map(changedAt)
    .reduce((newest, one) => (Date.parse(one) > Date.parse(newest) ? one : newest), EPOCH);
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}">
<id>${page}</id>
<title>${texts.pageTitle}</title>
<updated>${entries.length === 0 ? `${at.slice(0, 10)}T00:00:00Z` : updated}</updated>
<author><name>Zhiber</name><uri>${siteUrl}</uri></author>
<link rel="self" type="application/atom+xml" href="${page}/history.atom?lang=${lang}"/>
<link rel="alternate" type="text/html" href="${page}?lang=${lang}"/>
${entries.map((incident) => entry(incident, { page, lang, texts }))}</feed>
`.markup;
}

const EPOCH = '1970-01-01T00:00:00.000Z';

function changedAt({ updates, publishedAt }: PublicIncident): string {
  const last = updates[0]?.at ?? publishedAt;
  return Date.parse(last) > Date.parse(publishedAt) ? last : publishedAt;
}

function entry(
  incident: PublicIncident,
  { page, lang, texts }: { page: string; lang: Lang; texts: StatusTexts },
): Html {
  const { id, title, planned, publishedAt, components, updates } = incident;
  const lines = [
    `${texts.affects}: ${components.map((name) => texts.componentNames[name]).join(', ')}`,
    ...(planned === null
      ? []
      : [`${texts.maintenance}: ${formatSpan(planned, lang)} · ${texts.almaty}`]),
    ...updates.map(
      (update) =>
        `${formatMoment(update.at, lang)} · ${updateLabel(update, incident, texts)}: ${update.text[lang] ?? update.text.ru}`,
    ),
  ];
  return html`<entry>
<id>${page}#incident-${id}</id>
<title>${forXml(title[lang] ?? title.ru)}</title>
<published>${publishedAt}</published>
<updated>${changedAt(incident)}</updated>
<link rel="alternate" type="text/html" href="${page}?lang=${lang}#incident-${id}"/>
<content type="text">${forXml(lines.join('\n'))}</content>
</entry>
`;
}

/** XML has no way to write most control characters. */
function forXml(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, ' ');
}
