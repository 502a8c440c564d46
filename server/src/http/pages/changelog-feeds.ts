import type { Lang } from '@zhiber/contract/languages.ts';
import type { Change } from '@zhiber/contract/pages/changelog.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { ATOM_PATH, anchorOf, JSON_FEED_PATH } from './changelog-page.ts';
import { html } from './html.ts';
import { localHref } from './layout.ts';

export type FeedFacts = {
  lang: Lang;
  texts: PublicTexts;
  /** The origin of the site. */
  url: string;
  changes: readonly Change[];
};

/** The change log as an Atom feed (RFC 4287). Its escapes are those of XML. */
export function atomFeed({ lang, texts, url, changes }: FeedFacts): string {
  const words = texts.changelog;
  const self = `${url}${localHref(ATOM_PATH, lang)}`;
  const entries = changes.map(
    (change) => html`<entry>
<id>${idOf(url, change)}</id>
<title>${titleOf(change, lang, words)}</title>
<updated>${publishedAt(change)}</updated>
<published>${publishedAt(change)}</published>
<link rel="alternate" type="text/html" href="${addressOf(url, change, lang)}"/>
<category term="${change.tag}" label="${words.tags[change.tag]}"/>
<content type="text">${plainText(change.text[lang])}</content>
</entry>
`,
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${lang}">
<id>${self}</id>
<title>Zhiber · ${words.title}</title>
<subtitle>${words.description}</subtitle>
<updated>${newest(changes)}</updated>
<author><name>Zhiber</name></author>
<link rel="self" type="application/atom+xml" href="${self}"/>
<link rel="alternate" type="text/html" href="${url}${localHref('/changelog', lang)}"/>
${entries}</feed>
`.markup;
}

/** The change log as a JSON Feed 1.1. */
export function jsonFeed({ lang, texts, url, changes }: FeedFacts): object {
  const words = texts.changelog;
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `Zhiber · ${words.title}`,
    description: words.description,
    home_page_url: `${url}${localHref('/changelog', lang)}`,
    feed_url: `${url}${localHref(JSON_FEED_PATH, lang)}`,
    language: lang,
    authors: [{ name: 'Zhiber', url }],
    items: changes.map((change) => ({
      id: idOf(url, change),
      url: addressOf(url, change, lang),
      title: titleOf(change, lang, words),
      content_text: plainText(change.text[lang]),
      date_published: publishedAt(change),
      tags: [words.tags[change.tag]],
    })),
  };
}

/** The same in every language, so that a reader who changes the language sees nothing twice. */
function idOf(url: string, change: Change): string {
  return `${url}/changelog#${anchorOf(change)}`;
}

function addressOf(url: string, change: Change, lang: Lang): string {
  return `${url}${localHref('/changelog', lang)}#${anchorOf(change)}`;
}

/** The first sentence, which says what it is about. */
function titleOf({ tag, text }: Change, lang: Lang, words: PublicTexts['changelog']): string {
  const [sentence = ''] = plainText(text[lang]).split(/(?<=[.:])\s/, 1);
  return `${words.tags[tag]}: ${sentence.replace(/[.:]$/, '')}`;
}

function plainText(text: string): string {
  return text.replaceAll('`', '');
}

/** Days begin in Almaty. */
function publishedAt({ date }: Change): string {
  return `${date}T00:00:00+05:00`;
}

function newest(changes: readonly Change[]): string {
  return changes.map(publishedAt).sort().at(-1) ?? '1970-01-01T00:00:00Z';
}
