import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import { ERROR_CODES } from '@zhiber/contract/api/errors.ts';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { DocsBuild, DocsGroup, SearchEntry } from '@zhiber/contract/pages/docs.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { findBrokenLink } from './check-links.ts';
import {
  DocsMistake,
  type DocsSource,
  pathOf,
  type RenderedPage,
  renderPage,
} from './render-page.ts';

export type DocsInput = {
  sources: readonly DocsSource[];
  navigation: readonly DocsGroup[];
  /** Slugs that the server renders itself. */
  serverPages: readonly string[];
  texts: Readonly<Record<Lang, PublicTexts>>;
  /** Whether a page that is missing in a language is a mistake; otherwise it is left out. */
  mustBeComplete: boolean;
};

export type BuiltDocs = Omit<DocsBuild, 'searchIndex'> & {
  search: Readonly<Record<Lang, readonly SearchEntry[]>>;
  warnings: readonly string[];
};

/** All pages of the documentation. Throws a `DocsMistake` at the first mistake. */
export function buildDocs(input: DocsInput): BuiltDocs {
  const slugs = input.navigation.flatMap((group) => group.slugs);
  const warnings = findMissing(input, slugs);
  const pages = perLang((lang) => renderPages(input, lang, slugs));
  for (const lang of LANGS) checkLinks(input, lang, pages[lang], slugs);
  checkAnchors(pages);
  return {
    navigation: input.navigation,
    pages: perLang((lang) =>
      Object.fromEntries(
        [...pages[lang]].map(([slug, { sections: _sections, links: _links, ...page }]) => [
          slug,
          page,
        ]),
      ),
    ),
    search: perLang((lang) => [
      ...slugs.flatMap((slug) => pages[lang].get(slug)?.sections ?? []),
      ...referenceEntries(input.texts[lang]),
      ...errorEntries(input.texts[lang]),
    ]),
    warnings,
  };
}

function perLang<Value>(make: (lang: Lang) => Value): Record<Lang, Value> {
  return Object.fromEntries(LANGS.map((lang) => [lang, make(lang)])) as Record<Lang, Value>;
}

function renderPages(
  { sources, texts }: DocsInput,
  lang: Lang,
  slugs: readonly string[],
): Map<string, RenderedPage> {
  const { docs, layout } = texts[lang];
  const words = {
    copy: layout.copy,
    copied: layout.copied,
    answer: docs.answer,
    codeLanguage: docs.codeLanguage,
    note: docs.note,
    warning: docs.warning,
    scrollableTable: docs.scrollableTable,
  };
  const own = sources.filter((source) => source.lang === lang);
  for (const { slug } of own) {
    if (slugs.includes(slug)) continue;
    throw new DocsMistake(`web/src/docs/${lang}/${slug}.md: the navigation has no page "${slug}".`);
  }
  return new Map(own.map((source) => [source.slug, renderPage(source, words)]));
}

function findMissing(
  { sources, serverPages, mustBeComplete }: DocsInput,
  slugs: readonly string[],
): string[] {
  const missing = LANGS.flatMap((lang) =>
    slugs
      .filter((slug) => !serverPages.includes(slug))
      .filter((slug) => !sources.some((page) => page.lang === lang && page.slug === slug))
      .map((slug) => `web/src/docs/${lang}/${slug}.md is missing`),
  );
  if (mustBeComplete && missing.length > 0) throw new DocsMistake(`${missing[0]}.`);
  return missing;
}

function checkLinks(
  { serverPages, mustBeComplete }: DocsInput,
  lang: Lang,
  pages: ReadonlyMap<string, RenderedPage>,
  slugs: readonly string[],
): void {
  const anchors = new Map<string, readonly string[]>([
    ...serverPages.map((slug) => [slug, []] as const),
    ...[...pages].map(([slug, page]) => [slug, page.headings.map(({ id }) => id)] as const),
  ]);
  const promised = mustBeComplete ? [] : slugs;
  for (const [slug, { links }] of pages) {
    for (const link of links) {
      const problem = findBrokenLink(link, slug, { anchors, promised });
      if (problem !== undefined) {
        throw new DocsMistake(`web/src/docs/${lang}/${slug}.md: ${problem}.`);
      }
    }
  }
}

/** A link to a heading works in every language, so all have the same ones. */
function checkAnchors(pages: Readonly<Record<Lang, ReadonlyMap<string, RenderedPage>>>): void {
  for (const [slug, model] of pages.ru) {
    const expected = model.headings.map(({ id }) => id);
    for (const lang of LANGS) {
      const found = pages[lang].get(slug)?.headings.map(({ id }) => id);
      if (found === undefined || found.join() === expected.join()) continue;
      const odd =
        expected.find((id) => !found.includes(id)) ?? found.find((id) => !expected.includes(id));
      throw new DocsMistake(
        odd === undefined
          ? `web/src/docs/${lang}/${slug}.md: its headings are in another order than in ru.`
          : `web/src/docs/${lang}/${slug}.md: only one of ru and ${lang} has the heading "#${odd}".`,
      );
    }
  }
}

/** Operations are found by their paths and fields; the guides say what they are for. */
function referenceEntries({ docs }: PublicTexts): SearchEntry[] {
  return Object.values(ENDPOINTS).map((endpoint) => ({
    url: `${pathOf('api')}#${endpoint.path.slice(1).replaceAll('/', '-')}`,
    page: docs.reference.title,
    heading: `${endpoint.methods[0]} ${endpoint.path}`,
    text: 'body' in endpoint ? Object.keys(endpoint.body.properties).join(', ') : '',
  }));
}

function errorEntries({ errorPages }: PublicTexts): SearchEntry[] {
  return ERROR_CODES.map((code) => ({
    url: `/docs/errors/${code}`,
    page: errorPages.listTitle,
    heading: code,
    text: `${errorPages.codes[code].meaning} ${errorPages.codes[code].advice}`,
  }));
}
