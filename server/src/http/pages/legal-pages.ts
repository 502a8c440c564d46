import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { BadConfig } from '../../config/config.ts';
import { type Html, html } from './html.ts';
import { renderPage, type View } from './layout.ts';
import { renderMarkdown } from './markdown.ts';

/** A document of the operator, rendered, in the languages that it was written in. */
export type LegalDocument = Partial<Record<Lang, Html>>;

const FALLBACK: Lang = 'ru';

/**
 * Reads `terms.md` and its translations `terms.kk.md` and `terms.en.md`. Throws BadConfig when the
 * file of the setting cannot be read: the site would link to terms that are not there.
 */
export function readLegalDocument(
  setting: 'TERMS_FILE' | 'PRIVACY_FILE',
  file: string | undefined,
): LegalDocument {
  if (file === undefined) return {};
  if (!existsSync(file)) throw new BadConfig([`${setting}: there is no file ${file}`]);
  const { dir, name, ext } = path.parse(file);
  const document: LegalDocument = { [FALLBACK]: renderFile(file) };
  for (const lang of LANGS) {
    const translated = path.join(dir, `${name}.${lang}${ext}`);
    if (existsSync(translated)) document[lang] = renderFile(translated);
  }
  return document;
}

function renderFile(file: string): Html {
  return renderMarkdown(readFileSync(file, 'utf8'));
}

/** `/terms` and `/privacy`: the text of the operator, or an honest word that there is none. */
export function legalPage(
  view: View,
  name: 'terms' | 'privacy',
  document: LegalDocument,
): { markup: string; isThere: boolean } {
  const texts = view.texts.legal;
  const own = document[view.lang];
  const text = own ?? document[FALLBACK];
  const title = texts[name];
  const body =
    text === undefined
      ? html`<div class="prose"><h1>${title}</h1><p class="lead">${view.isSandbox ? texts.sandbox : texts.missing}</p></div>`
      : html`<div class="prose legal">
${own === undefined && html`<p class="unchanged">${texts.onlyRussian}</p>`}
${!text.markup.includes('<h1') && html`<h1>${title}</h1>`}
<article lang="${own === undefined ? FALLBACK : view.lang}">${text}</article></div>`;
  const isThere = text !== undefined;
  return {
    markup: renderPage(view, {
      title: `${title} · Zhiber`,
      description: title,
      body,
      shell: 'site',
      isIndexed: isThere,
    }),
    isThere,
  };
}
