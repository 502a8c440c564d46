/**
 * The scripts and styles of the pages that the server renders. Every page has `pages.ts`; a page
 * that needs more names another entry in its `scripts`.
 */
export const PUBLIC_ENTRIES = ['src/public/pages.ts'];
