import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LANGS, type Lang } from '@zhiber/contract/languages.ts';
import type { DocsBuild } from '@zhiber/contract/pages/docs.ts';
import type { Plugin } from 'vite';
import { NAVIGATION, SERVER_PAGES } from '../../src/docs/navigation.ts';
import { PUBLIC_TEXTS } from '../../src/texts/public.ts';
import { type BuiltDocs, buildDocs } from './build-docs.ts';
import { DocsMistake, type DocsSource } from './render-page.ts';

/** Whether a page that is missing in one language stops the build. */
const MUST_BE_COMPLETE = true;

const FOLDER = path.join(import.meta.dirname, '../../src/docs');

/**
 * Writes `docs.json`, the documentation for the server, and a search index for each language. The
 * server has no library for Markdown; it fills in the placeholders.
 */
export function docsPages(): Plugin {
  return {
    name: 'zhiber-docs',
    apply: 'build',
    generateBundle() {
      const { navigation, pages, search, warnings } = buildOrStop((mistake) => this.error(mistake));
      for (const warning of warnings) this.warn(warning);
      const searchIndex = Object.fromEntries(
        LANGS.map((lang) => {
          const source = JSON.stringify(search[lang]);
          const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
          const fileName = `assets/docs-search-${lang}-${hash}.json`;
          this.emitFile({ type: 'asset', fileName, source });
          return [lang, `/${fileName}`];
        }),
      ) as Record<Lang, string>;
      const docs: DocsBuild = { navigation, pages, searchIndex };
      this.emitFile({ type: 'asset', fileName: 'docs.json', source: JSON.stringify(docs) });
    },
  };
}

/** A mistake in a page is said in its one sentence, without the trail of the code that found it. */
function buildOrStop(stop: (mistake: string) => never): BuiltDocs {
  try {
    return buildDocs({
      sources: readSources(FOLDER),
      navigation: NAVIGATION,
      serverPages: SERVER_PAGES,
      texts: PUBLIC_TEXTS,
      mustBeComplete: MUST_BE_COMPLETE,
    });
  } catch (error) {
    if (error instanceof DocsMistake) stop(error.message);
    throw error;
  }
}

export function readSources(folder: string): DocsSource[] {
  return LANGS.flatMap((lang) => {
    const own = path.join(folder, lang);
    if (!existsSync(own)) return [];
    return readdirSync(own)
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => ({
        lang,
        slug: name.slice(0, -'.md'.length),
        source: readFileSync(path.join(own, name), 'utf8'),
      }));
  });
}
