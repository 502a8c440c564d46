import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractRoutes } from './build/contract-routes.ts';
import { earlyScript } from './build/early-script.ts';
import { packedFiles } from './build/packed-files.ts';
import { publicStyles } from './build/public-styles.ts';

/** Where `npm start` listens, for `vite` in development. */
const SERVICE = 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/app/',
  root: import.meta.dirname,
  plugins: [contractRoutes(), publicStyles(), earlyScript(), react(), tailwindcss(), packedFiles()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    manifest: true,
    // A font or a picture inside a style sheet would be against the policy of the pages.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/cabinet': SERVICE } },
});
