import type { Lang } from '@zhiber/contract/languages.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { errorPages as errorPagesEn } from './en/error-pages.ts';
import { pages as pagesEn } from './en/pages.ts';
import { errorPages as errorPagesKk } from './kk/error-pages.ts';
import { pages as pagesKk } from './kk/pages.ts';
import { errorPages as errorPagesRu } from './ru/error-pages.ts';
import { pages as pagesRu } from './ru/pages.ts';

/** What the build writes for the server. */
export const PUBLIC_TEXTS: Record<Lang, PublicTexts> = {
  ru: { ...pagesRu, errorPages: errorPagesRu },
  kk: { ...pagesKk, errorPages: errorPagesKk },
  en: { ...pagesEn, errorPages: errorPagesEn },
};
