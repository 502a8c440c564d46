import path from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractRoutes } from './build/contract-routes.ts';
import { earlyScript } from './build/early-script.ts';
import { packedFiles } from './build/packed-files.ts';
import { PUBLIC_ENTRIES } from './build/public-entries.ts';
import { publicTexts } from './build/public-texts.ts';
import { SHARED_PARTS } from './build/shared-parts.ts';

/** Where `npm start` listens, for `vite` in development. */
const SERVICE = 'http://127.0.0.1:3000';

const sourceOf = (name: string) => path.join(import.meta.dirname, name);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractRoutes(), earlyScript(), publicTexts(), react(), tailwindcss(), packedFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The server finds the files of its own pages in the manifest.
    manifest: true,
    // A font or a picture inside a style sheet would be against the policy of the pages.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'try.html', ...PUBLIC_ENTRIES].map(sourceOf),
      output: { codeSplitting: { groups: SHARED_PARTS } },
    },
  },
  server: {
    proxy: { '/api': SERVICE, '/cabinet': SERVICE, '/admin/api': SERVICE, '/try/': SERVICE },
  },
});
