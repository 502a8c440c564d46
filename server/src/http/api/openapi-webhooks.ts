import {
  EVENT_ENVELOPE_TEXTS,
  EVENT_TEXTS,
  type Localized,
} from '@zhiber/contract/api/descriptions.ts';
import { EVENT_DATA, EVENT_TYPES, type EventType } from '@zhiber/contract/api/events.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { exampleOf, type Json, refTo } from './openapi-schemas.ts';

const TEXTS = {
  signed: {
    ru: 'Запрос подписан по спецификации Standard Webhooks. Ответьте кодом 2xx в течение 10 секунд.',
    kk: 'Сұрауға Standard Webhooks спецификациясы бойынша қол қойылған. 10 секунд ішінде 2xx кодымен жауап беріңіз.',
    en: 'The request is signed as the Standard Webhooks specification says. Answer with a 2xx status within 10 seconds.',
  },
  'webhook-id': {
    ru: 'Номер события. Повторная доставка приходит с тем же номером.',
    kk: 'Оқиға нөмірі. Қайта жеткізу сол нөмірмен келеді.',
    en: 'The id of the event. A repeated delivery has the same id.',
  },
  'webhook-timestamp': {
    ru: 'Время отправки: секунды Unix. Отклоняйте запросы старше пяти минут.',
    kk: 'Жіберілген уақыты: Unix секундтары. Бес минуттан ескі сұрауларды қабылдамаңыз.',
    en: 'The time of sending in Unix seconds. Refuse requests older than five minutes.',
  },
  'webhook-signature': {
    ru: 'Одна или несколько подписей `v1,…` через пробел; подходит любая.',
    kk: 'Бос орынмен бөлінген бір немесе бірнеше `v1,…` қолтаңба; кез келгені жарайды.',
    en: 'One or more signatures `v1,…`, separated by spaces; any of them will do.',
  },
  accepted: { ru: 'Событие принято.', kk: 'Оқиға қабылданды.', en: 'The event was accepted.' },
  gone: {
    ru: 'Адрес больше не принимает события: отправка на него отключается.',
    kk: 'Мекенжай енді оқиғаларды қабылдамайды: оған жіберу өшіріледі.',
    en: 'The address takes no more events: sending to it is switched off.',
  },
} as const satisfies Record<string, Localized>;

/** The `webhooks` section: what a receiver of events gets, by type of event. */
export function describeWebhooks(lang: Lang): Json {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [type, { post: describeWebhook(type, lang) }] as const),
  );
}

function describeWebhook(type: EventType, lang: Lang): Json {
  const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  return {
    operationId: `on${type.split('.').map(capitalised).join('')}`,
    tags: ['events'],
    summary: EVENT_TEXTS[type][lang],
    description: TEXTS.signed[lang],
    security: [],
    parameters: headers.map((name) => ({
      name,
      in: 'header',
      required: true,
      description: TEXTS[name][lang],
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': describeEvent(type, lang) } },
    responses: {
      200: { description: TEXTS.accepted[lang] },
      410: { description: TEXTS.gone[lang] },
    },
  };
}

function describeEvent(type: EventType, lang: Lang): Json {
  const { type: typeText, timestamp, data } = EVENT_ENVELOPE_TEXTS;
  const at = { type: 'string', format: 'date-time' };
  const payload = EVENT_DATA[type];
  return {
    schema: {
      type: 'object',
      required: ['type', 'timestamp', 'data'],
      properties: {
        type: { type: 'string', const: type, description: typeText[lang] },
        timestamp: { ...at, description: timestamp[lang] },
        data: { ...refTo(payload, lang), description: data[lang] },
      },
    },
    example: { type, timestamp: exampleOf(at), data: exampleOf(payload) },
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
