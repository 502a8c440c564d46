import type { Lang } from '@zhiber/contract/languages.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';
import { bank as bankEn } from './en/bank.ts';
import { docs as docsEn } from './en/docs.ts';
import { errorPages as errorPagesEn } from './en/error-pages.ts';
import { pages as pagesEn } from './en/pages.ts';
import { status as statusEn } from './en/status.ts';
import { bank as bankKk } from './kk/bank.ts';
import { docs as docsKk } from './kk/docs.ts';
import { errorPages as errorPagesKk } from './kk/error-pages.ts';
import { pages as pagesKk } from './kk/pages.ts';
import { status as statusKk } from './kk/status.ts';
import { bank as bankRu } from './ru/bank.ts';
import { docs as docsRu } from './ru/docs.ts';
import { errorPages as errorPagesRu } from './ru/error-pages.ts';
import { pages as pagesRu } from './ru/pages.ts';
import { status as statusRu } from './ru/status.ts';

/** What the build writes for the server. */
export const PUBLIC_TEXTS: Record<Lang, PublicTexts> = {
  ru: {
    ...pagesRu,
    bank: bankRu,
    docs: docsRu,
    errorPages: errorPagesRu,
    status: statusRu,
  },
  kk: {
    ...pagesKk,
    bank: bankKk,
    docs: docsKk,
    errorPages: errorPagesKk,
    status: statusKk,
  },
  en: {
    ...pagesEn,
    bank: bankEn,
    docs: docsEn,
    errorPages: errorPagesEn,
    status: statusEn,
  },
};
