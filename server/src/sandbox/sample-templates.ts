import type { MarketingTemplate } from '../channels/channel.ts';

/** Stands for the approved templates of a WhatsApp account, so that broadcasts can be tried. */
export const SAMPLE_TEMPLATES: readonly MarketingTemplate[] = [
  {
    name: 'sale_announcement',
    language: 'ru',
    body: 'Здравствуйте, {{1}}! {{2}}\nПодробнее: {{3}}\n\nЧтобы не получать такие сообщения, ответьте СТОП.',
    variables: 3,
    hasLink: false,
  },
  {
    name: 'sale_announcement',
    language: 'kk',
    body: 'Сәлеметсіз бе, {{1}}! {{2}}\nТолығырақ: {{3}}\n\nМұндай хабарламалар алмау үшін ТОҚТА деп жауап беріңіз.',
    variables: 3,
    hasLink: false,
  },
  {
    name: 'visit_reminder',
    language: 'ru',
    body: '{{1}}, ждём вас {{2}}. Чтобы не получать такие сообщения, ответьте СТОП.',
    variables: 2,
    hasLink: false,
  },
];
