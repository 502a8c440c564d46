/**
 * The scripts and styles of the pages that the server renders. Every page has `pages.ts`; a page
 * that needs more names another entry in its `scripts`.
 */
export const PUBLIC_ENTRIES = [
  'src/public/pages.ts',
  'src/public/docs.ts',
  'src/public/docs-console.ts',
  'src/public/docs-webotp.ts',
];
