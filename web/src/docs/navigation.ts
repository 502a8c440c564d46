import type { DocsGroup } from '@zhiber/contract/pages/docs.ts';

/** The pages of the documentation, in the order in which they are read. */
export const NAVIGATION = [
  {
    titles: { ru: 'Начало работы', kk: 'Бастау', en: 'Get started' },
    slugs: ['index', 'quick-start', 'testing'],
  },
  {
    titles: { ru: 'Отправка', kk: 'Жіберу', en: 'Sending' },
    slugs: ['codes', 'links', 'groups', 'channels', 'webhooks', 'webotp'],
  },
  {
    titles: { ru: 'Условия работы', kk: 'Жұмыс шарттары', en: 'Operations' },
    slugs: ['limits', 'billing', 'security', 'not-arrived'],
  },
  {
    titles: { ru: 'Справочник', kk: 'Анықтамалық', en: 'Reference' },
    slugs: ['api', 'errors', 'sdk', 'self-hosting'],
  },
] as const satisfies readonly DocsGroup[];

/** Rendered by the server from the contract; they have no Markdown. */
export const SERVER_PAGES: readonly string[] = ['api', 'errors'];
