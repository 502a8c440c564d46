import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Fonts are packed already; what lies beside the documents is for the server. */
const TEXT_FILES = /\.(?:html|css|js|svg)$|^assets\/.*\.json$/;

/** Packs each file once, here, so that the server never has to. */
export function packedFiles(): Plugin {
  return {
    name: 'zhiber-packed-files',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((file) => TEXT_FILES.test(file))) {
        const file = path.join(dir, name);
        const body = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(body, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(body, brotliOptions(body.length)));
      }
    },
  };
}

function brotliOptions(size: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: size,
    },
  };
}
