import type { Plugin } from 'vite';
import { PUBLIC_SNIPPETS } from '../src/snippets/public-snippets.ts';
import { CHANGES } from '../src/texts/changelog.ts';
import { PUBLIC_TEXTS } from '../src/texts/public.ts';

const FILES = {
  'texts.json': PUBLIC_TEXTS,
  'changelog.json': CHANGES,
  'snippets.json': PUBLIC_SNIPPETS,
};

/** Writes what the pages of the server say: words, the change log, and examples of code. */
export function publicTexts(): Plugin {
  return {
    name: 'zhiber-public-texts',
    apply: 'build',
    generateBundle() {
      for (const [fileName, content] of Object.entries(FILES)) {
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(content) });
      }
    },
  };
}
