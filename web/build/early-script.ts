import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const SOURCE = new URL('../src/design/theme/early-theme.js', import.meta.url);

/**
 * A plain script in the head, before anything is painted. Vite bundles modules alone, and a module
 * would run too late; the policy of the page forbids to write the script into it.
 */
export function earlyScript(): Plugin {
  const source = readFileSync(SOURCE, 'utf8');
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  const fileName = `assets/early-theme-${hash}.js`;
  let isServing = false;
  return {
    name: 'zhiber-early-script',
    configResolved({ command }) {
      isServing = command === 'serve';
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml() {
      const src = isServing ? '/src/design/theme/early-theme.js' : `/${fileName}`;
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
    },
  };
}
