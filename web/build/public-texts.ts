import type { Plugin } from 'vite';
import { PUBLIC_TEXTS } from '../src/texts/public.ts';

/** Writes `texts.json`: the words of the pages that the server renders. */
export function publicTexts(): Plugin {
  return {
    name: 'zhiber-public-texts',
    apply: 'build',
    generateBundle() {
      const source = JSON.stringify(PUBLIC_TEXTS);
      this.emitFile({ type: 'asset', fileName: 'texts.json', source });
    },
  };
}
