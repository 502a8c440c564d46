import type { Lang } from '@zhiber/contract/languages.ts';
import type { DocsHeading, DocsPage, SearchEntry } from '@zhiber/contract/pages/docs.ts';
import {
  fillPlaceholders,
  KNOWN_PLACEHOLDERS,
  unknownPlaceholders,
} from '@zhiber/contract/pages/docs-placeholders.ts';
import { Marked, type RendererObject, type Tokens } from 'marked';
import { type CodeTexts, type Fence, renderFence, writeFence } from './code-block.ts';

export type DocsSource = { lang: Lang; slug: string; source: string };

export type PageTexts = CodeTexts & { note: string; warning: string; scrollableTable: string };

export type RenderedPage = DocsPage & {
  sections: readonly SearchEntry[];
  /** As they were written, for the check of the whole documentation. */
  links: readonly string[];
};

/** A mistake in the documentation, said in one sentence with the file it is in. */
export class DocsMistake extends Error {}

const FENCE = /^```([^\n`]*)\n([\s\S]*?)^```[ \t]*$/gm;
const HEADING_ID = /\s*\{#([a-z0-9-]+)\}\s*$/;
/** What the page around the text calls its own parts. */
const TAKEN_ID = /^(?:content$|docs-|demo-|code-\d)/;
/** These are no pages of the documentation and have one language, or choose it themselves. */
const WITHOUT_LANGUAGE = /^\/(?:api|app|assets|admin)(?:[/?#]|$)/;

export function pathOf(slug: string): string {
  return slug === 'index' ? '/docs' : `/docs/${slug}`;
}

/** One file of Markdown as a page. Throws a `DocsMistake` when it does not keep to the rules. */
export function renderPage({ lang, slug, source }: DocsSource, texts: PageTexts): RenderedPage {
  const fail = (problem: string): never => {
    throw new DocsMistake(`web/src/docs/${lang}/${slug}.md: ${problem}.`);
  };
  for (const name of unknownPlaceholders(source)) fail(`nothing fills in {{${name}}}`);
  const { title, description, body } = readFrontMatter(source, fail);
  const headings: DocsHeading[] = [];
  const links: string[] = [];
  let codeCount = 0;
  const renderer: RendererObject = {
    heading(token) {
      const inline = this.parser.parseInline(token.tokens);
      const id = HEADING_ID.exec(inline)?.[1];
      if (token.depth === 1)
        fail(`the title belongs into the front matter, not into "${token.text}"`);
      if (id === undefined) return fail(`the heading "${token.text}" has no {#id}`);
      if (TAKEN_ID.test(id)) fail(`the id "${id}" belongs to the page around the text`);
      if (headings.some((heading) => heading.id === id)) fail(`two headings have the id "${id}"`);
      const markup = inline.replace(HEADING_ID, '');
      headings.push({ id, level: token.depth, text: plainText(markup) });
      const anchor = `<a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
      return `<h${token.depth} id="${id}">${markup}${anchor}</h${token.depth}>\n`;
    },
    code(token) {
      codeCount += 1;
      return renderFence(fenceOf(token), { id: `code-${codeCount}`, texts, fail });
    },
    codespan({ text }) {
      // The texts of the API are Russian on the pages of every language.
      const isRussian = lang !== 'ru' && /\p{Script=Cyrillic}/u.test(text);
      return `<code${isRussian ? ' lang="ru"' : ''}>${escapeHtml(text)}</code>`;
    },
    link({ href, tokens }) {
      links.push(href);
      return `<a href="${escapeHtml(localAddress(href, lang))}">${this.parser.parseInline(tokens)}</a>`;
    },
    blockquote({ tokens }) {
      const markup = this.parser.parse(tokens);
      const kind = /^<p>\[!(NOTE|WARNING)\]\s*/.exec(markup);
      if (kind === null) return `<blockquote>${markup}</blockquote>\n`;
      const isWarning = kind[1] === 'WARNING';
      return `<div class="callout${isWarning ? ' warning' : ''}" role="note"><p class="callout-title">${isWarning ? texts.warning : texts.note}</p>
<p>${markup.slice(kind[0].length)}</div>\n`;
    },
    table(token) {
      const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
        row
          .map(
            (cell) =>
              `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(cell.tokens)}</${tag}>`,
          )
          .join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      return `<div class="table" role="group" tabindex="0" aria-label="${texts.scrollableTable}"><table>
<thead><tr>${cells(token.header, 'th')}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`;
    },
    html({ text }) {
      return fail(`HTML is not Markdown: "${text.trim()}"`);
    },
    image({ href }) {
      return fail(`a page has no images: "${href}"`);
    },
  };
  const marked = new Marked({ gfm: true, renderer });
  const html = restore(parseMarkdown(marked, protect(body)));
  return {
    title,
    description,
    headings,
    html,
    markdown: writeMarkdown({ title, description, body, lang, texts, fail }),
    hasKey: html.includes('{{key}}'),
    sections: sectionsOf(html, { title, description, slug }),
    links: links.map(restore),
  };
}

/** The library adds words of its own to what a renderer throws. */
function parseMarkdown(marked: Marked, markdown: string): string {
  try {
    return marked.parse(markdown) as string;
  } catch (error) {
    if (!(error instanceof DocsMistake)) throw error;
    throw new DocsMistake(error.message.split('\n')[0]);
  }
}

function readFrontMatter(
  source: string,
  fail: (problem: string) => never,
): { title: string; description: string; body: string } {
  const found = /^---\n([\s\S]*?)\n---\n/.exec(source.replaceAll('\r\n', '\n'));
  if (found === null) return fail('it begins without front matter (---)');
  const fields = new Map(
    (found[1] ?? '').split('\n').map((line) => {
      const [name = '', ...value] = line.split(':');
      return [
        name.trim(),
        value
          .join(':')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ] as const;
    }),
  );
  const read = (name: string): string =>
    fields.get(name) || fail(`the front matter has no ${name}`);
  const body = source.replaceAll('\r\n', '\n').slice(found[0].length);
  return { title: read('title'), description: read('description'), body };
}

function fenceOf({ lang = '', text }: Tokens.Code): Fence {
  return { words: restore(lang).split(/\s+/), body: restore(text) };
}

/** Markdown would write the braces of a placeholder in an address as `%7B`. */
function protect(text: string): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, '\uE000$1\uE001');
}

function restore(text: string): string {
  return text.replaceAll(/(?:\uE000|%EE%80%80)([\w.]+)(?:\uE001|%EE%80%81)/g, '{{$1}}');
}

/** An address of this site in the language of the page. */
function localAddress(href: string, lang: Lang): string {
  if (!href.startsWith('/') || WITHOUT_LANGUAGE.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  return `${path}?lang=${lang}${anchor === undefined ? '' : `#${anchor}`}`;
}

function writeMarkdown(page: {
  title: string;
  description: string;
  body: string;
  lang: Lang;
  texts: PageTexts;
  fail: (problem: string) => never;
}): string {
  const { lang, texts, fail } = page;
  const written = page.body
    .split(FENCE)
    // What the pattern does not match, the words after the backquotes and the body take turns.
    .map((part, index, parts) => {
      if (index % 3 === 0) return proseWithAddresses(part, lang);
      if (index % 3 === 1) return '';
      const words = (parts[index - 1] ?? '').trim().split(/\s+/);
      return writeFence({ words, body: part.replace(/\n$/, '') }, { texts, fail });
    })
    .join('');
  return `# ${page.title}\n\n> ${page.description}\n\n${written.trim()}\n`;
}

/** Whole addresses, and those of the Markdown where a page has some. */
function proseWithAddresses(prose: string, lang: Lang): string {
  return prose
    .replaceAll(/^(#+ .*?)\s*\{#[a-z0-9-]+\}[ \t]*$/gm, '$1')
    .replaceAll(/\]\((\/[^)\s]*)\)/g, (_, href: string) => {
      const [path = '', anchor] = href.split('#');
      const isDocs = /^\/docs(?:\/|$)/.test(path) && path !== '/docs/api/console';
      const file = path === '/docs' ? '/docs/index.md' : isDocs ? `${path}.md` : path;
      const query = WITHOUT_LANGUAGE.test(path) ? '' : `?lang=${lang}`;
      return `]({{siteUrl}}${file}${query}${anchor === undefined ? '' : `#${anchor}`})`;
    });
}

/** The beginning of a page, with its description, and then each section under a heading. */
function sectionsOf(
  html: string,
  page: { title: string; description: string; slug: string },
): SearchEntry[] {
  const path = pathOf(page.slug);
  const textOf = (markup: string) => fillPlaceholders(plainText(markup), KNOWN_PLACEHOLDERS);
  // The first part has no heading; it is empty when a page begins with one.
  const [beginning = '', ...parts] = `<p></p>${html}`.split(/(?=<h[2-6] id=)/);
  const sections = parts.map((part) => {
    const [, id = '', heading = ''] =
      /^<h[2-6] id="([^"]+)">(.*?)<a class="anchor"/.exec(part) ?? [];
    const text = textOf(part.slice(part.indexOf('</h')));
    return { url: `${path}#${id}`, page: page.title, heading: textOf(heading), text };
  });
  const text = `${page.description} ${textOf(beginning)}`.trim();
  return [{ url: path, page: page.title, heading: '', text }, ...sections];
}

/** The words of a piece of markup, without its blocks of code. */
function plainText(markup: string): string {
  return markup
    .replaceAll(/<(figure|details)[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<\/(?:p|li|td|th|h\d|tr)>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
