import type { MessageState } from '@zhiber/contract/api/events.ts';
import type { Lang } from '@zhiber/contract/cabinet/fields.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';

/** The words of a file for a spreadsheet. */
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
  /** The last row of a file that could not hold everything. */
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
    kinds: { otp: 'код', otp_with_link: 'код и ссылка', link: 'ссылка', group: 'группа' },
    states: {
      queued: 'в очереди',
      sending: 'отправляется',
      sent: 'принято каналом',
      delivered: 'доставлено',
      read: 'прочитано',
      failed: 'не доставлено',
      unconfirmed: 'нет подтверждения — проверьте номер',
      unknown: 'исход неизвестен',
    },
    outcomes: {
      sending: 'отправляется',
      accepted: 'принято',
      refused: 'отказ',
      unconfirmed: 'нет подтверждения',
      failed: 'не доставлено',
      delivered: 'доставлено',
    },
    modes: { test: 'тестовый', live: 'рабочий' },
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
    kinds: { otp: 'код', otp_with_link: 'код пен сілтеме', link: 'сілтеме', group: 'топ' },
    states: {
      queued: 'кезекте',
      sending: 'жіберілуде',
      sent: 'арна қабылдады',
      delivered: 'жеткізілді',
      read: 'оқылды',
      failed: 'жеткізілмеді',
      unconfirmed: 'растау жоқ — нөмірді тексеріңіз',
      unknown: 'нәтижесі белгісіз',
    },
    outcomes: {
      sending: 'жіберілуде',
      accepted: 'қабылданды',
      refused: 'бас тартты',
      unconfirmed: 'растау жоқ',
      failed: 'жеткізілмеді',
      delivered: 'жеткізілді',
    },
    modes: { test: 'сынақ', live: 'жұмыс' },
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
    kinds: { otp: 'code', otp_with_link: 'code and link', link: 'link', group: 'group' },
    states: {
      queued: 'queued',
      sending: 'sending',
      sent: 'accepted',
      delivered: 'delivered',
      read: 'read',
      failed: 'not delivered',
      unconfirmed: 'not confirmed — check the number',
      unknown: 'outcome unknown',
    },
    outcomes: {
      sending: 'sending',
      accepted: 'accepted',
      refused: 'refused',
      unconfirmed: 'not confirmed',
      failed: 'not delivered',
      delivered: 'delivered',
    },
    modes: { test: 'test', live: 'live' },
    cut: (rows) => `The first ${rows} rows are shown. Narrow the range to get the others.`,
  },
};
