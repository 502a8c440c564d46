import type { MessageState } from '@zhiber/contract/api/events.ts';
import {
  MESSAGE_TEXTS_EN,
  MESSAGE_TEXTS_KK,
  MESSAGE_TEXTS_RU,
} from '@zhiber/contract/cabinet/message-texts.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import type { Lang } from '@zhiber/contract/languages.ts';

/** The texts of an exported file. */
export type ExportTexts = {
  sheet: string;
  columns: {
    almaty: string;
    utc: string;
    phone: string;
    country: string;
    kind: string;
    purpose: string;
    state: string;
    reason: string;
    channel: string;
    path: string;
    took: string;
    cost: string;
    mode: string;
    key: string;
    messageId: string;
    requestId: string;
  };
  kinds: Record<MessageRow['kind'] | 'otp_with_link', string>;
  states: Record<MessageState, string>;
  outcomes: Record<MessageRow['path'][number]['outcome'], string>;
  modes: Record<MessageRow['mode'], string>;
  /** The last row of a file that was cut at the row limit. */
  cut(rows: string): string;
};

export const EXPORT_TEXTS: Readonly<Record<Lang, ExportTexts>> = {
  ru: {
    sheet: 'Сообщения',
    columns: {
      almaty: 'Время (Алматы)',
      utc: 'Время (UTC)',
      phone: 'Телефон или группа',
      country: 'Страна',
      kind: 'Тип',
      purpose: 'Назначение',
      state: 'Результат',
      reason: 'Причина',
      channel: 'Канал',
      path: 'Путь',
      took: 'До подтверждения, мс',
      cost: 'Стоимость, ₸',
      mode: 'Режим',
      key: 'Ключ',
      messageId: 'ID сообщения',
      requestId: 'ID запроса',
    },
    ...MESSAGE_TEXTS_RU,
    cut: (rows) => `Показаны первые ${rows} строк. Сузьте период, чтобы получить остальные.`,
  },
  kk: {
    sheet: 'Хабарламалар',
    columns: {
      almaty: 'Уақыты (Алматы)',
      utc: 'Уақыты (UTC)',
      phone: 'Телефон немесе топ',
      country: 'Ел',
      kind: 'Түрі',
      purpose: 'Мақсаты',
      state: 'Нәтижесі',
      reason: 'Себебі',
      channel: 'Арна',
      path: 'Жолы',
      took: 'Растауға дейін, мс',
      cost: 'Құны, ₸',
      mode: 'Режим',
      key: 'Кілт',
      messageId: 'Хабарлама ID',
      requestId: 'Сұрау ID',
    },
    ...MESSAGE_TEXTS_KK,
    cut: (rows) => `Алғашқы ${rows} жол көрсетілді. Қалғанын алу үшін кезеңді тарылтыңыз.`,
  },
  en: {
    sheet: 'Messages',
    columns: {
      almaty: 'Time (Almaty)',
      utc: 'Time (UTC)',
      phone: 'Phone or group',
      country: 'Country',
      kind: 'Type',
      purpose: 'Purpose',
      state: 'Result',
      reason: 'Reason',
      channel: 'Channel',
      path: 'Path',
      took: 'Time to confirm, ms',
      cost: 'Cost, ₸',
      mode: 'Mode',
      key: 'Key',
      messageId: 'Message ID',
      requestId: 'Request ID',
    },
    ...MESSAGE_TEXTS_EN,
    cut: (rows) => `The first ${rows} rows are shown. Narrow the range to get the others.`,
  },
};
