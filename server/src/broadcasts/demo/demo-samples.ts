import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';

/** What became of a recipient of the demo; without a `state` there is no message. */
export type DemoOutcome = {
  state?: 'sent' | 'failed' | 'unknown';
  receipt?: 'delivered' | 'read' | 'failed';
  channel?: Channel;
  reason?: string;
  /** Telegram failed, and the SMS after it arrived. */
  isByFallback?: true;
  skipped?: 'unsubscribed';
  /** Minutes after the message in which the link was opened. */
  clickedMinutes?: number;
  isSeenByRobot?: true;
  /** Used the link at the end of the message. */
  isUnsubscribed?: true;
};

export type DemoBroadcast = {
  /** As the team calls it; the text is in the language of its recipients. */
  name: Record<Lang, string>;
  text: string;
  url: string;
  channels: readonly Channel[];
  /** In Almaty, so many days ago. */
  started: { daysAgo: number; hour: number; minute: number };
  secondsBetween: number;
  recipients: readonly (DemoOutcome & { name: string })[];
};

const NAMES =
  `Айгүл Ерлан Динара Нұрлан Мадина Асхат Гүлнәр Данияр Жанар Бауыржан Салтанат Тимур Ләззат Арман Камила Серік
  Алия Руслан Айжан Олжас Меруерт Қайрат Дана Ержан Әсел Марат Зарина Бекзат Гүлмира Санжар Томирис Алмас
  Сәуле Дәурен Назгүл Рустем Аружан Талғат Бибігүл Ильяс Шолпан Мұрат Анель Ғалым Инкар Болат Жұлдыз Азамат`.split(
    /\s+/,
  );

const times = (count: number, outcome: DemoOutcome): DemoOutcome[] =>
  Array.from({ length: count }, () => outcome);

const read: DemoOutcome = { state: 'sent', receipt: 'read', channel: 'telegram' };
const byTelegram: DemoOutcome = { state: 'sent', receipt: 'delivered', channel: 'telegram' };
const bySms: DemoOutcome = { state: 'sent', receipt: 'delivered', channel: 'sms' };
const blocked: DemoOutcome = { state: 'failed', channel: 'sms', reason: 'Абонент заблокирован' };

const AUTUMN: readonly DemoOutcome[] = [
  { ...read, clickedMinutes: 2, isSeenByRobot: true },
  { ...read, clickedMinutes: 7, isSeenByRobot: true },
  ...times(3, read),
  { ...bySms, clickedMinutes: 12 },
  ...times(4, bySms),
  { ...read, clickedMinutes: 19 },
  { ...read, clickedMinutes: 26, isSeenByRobot: true },
  ...times(3, byTelegram),
  blocked,
  { ...bySms, clickedMinutes: 41 },
  ...times(3, bySms),
  { ...bySms, isByFallback: true },
  { ...read, clickedMinutes: 58 },
  ...times(2, read),
  { state: 'sent', channel: 'telegram', isSeenByRobot: true },
  { ...read, isUnsubscribed: true },
  { state: 'failed', channel: 'sms', reason: 'Номер не обслуживается' },
  { ...bySms, clickedMinutes: 95 },
  ...times(2, byTelegram),
  { ...bySms, isByFallback: true, clickedMinutes: 130 },
  { skipped: 'unsubscribed' },
  ...times(3, bySms),
  { ...read, clickedMinutes: 240 },
  ...times(2, read),
  blocked,
  { state: 'unknown', channel: 'sms', reason: 'Оператор не ответил вовремя' },
  ...times(2, byTelegram),
  { ...bySms, clickedMinutes: 610 },
  ...times(3, bySms),
];

const BRANCH: readonly DemoOutcome[] = [
  { ...bySms, clickedMinutes: 3 },
  ...times(5, bySms),
  { ...bySms, clickedMinutes: 16 },
  blocked,
  ...times(4, bySms),
  { ...bySms, clickedMinutes: 34 },
  { state: 'sent', channel: 'sms' },
  ...times(5, bySms),
  { state: 'failed', channel: 'sms', reason: 'Номер не обслуживается' },
  { ...bySms, clickedMinutes: 75 },
  ...times(3, bySms),
];

const named = (outcomes: readonly DemoOutcome[], from: number) =>
  outcomes.map((outcome, place) => ({
    ...outcome,
    name: NAMES[(from + place) % NAMES.length] as string,
  }));

/** Broadcasts of a small shop that have ended. */
export const DEMO_BROADCASTS: readonly DemoBroadcast[] = [
  {
    name: { ru: 'Осенняя распродажа', kk: 'Күзгі жеңілдік', en: 'Autumn sale' },
    text: 'Здравствуйте, {{Имя|друг}}! До воскресенья скидка 20 % на все букеты: :link',
    url: 'https://romashka.kz/sale?utm_source=zhiber',
    channels: ['telegram', 'sms'],
    started: { daysAgo: 12, hour: 11, minute: 0 },
    secondsBetween: 2,
    recipients: named(AUTUMN, 0),
  },
  {
    name: {
      ru: 'Новый магазин на Абая',
      kk: 'Абай даңғылында жаңа дүкен',
      en: 'New shop on Abay Avenue',
    },
    text: '{{Имя|Құрметті клиент}}, Абай даңғылы, 15 мекенжайында жаңа дүкен ашылды. Күтеміз! :link',
    url: 'https://romashka.kz/abay-15',
    channels: ['sms'],
    started: { daysAgo: 4, hour: 15, minute: 30 },
    secondsBetween: 3,
    recipients: named(BRANCH, 11),
  },
];

/** A draft whose rows have been checked. */
export const DEMO_DRAFT = {
  name: {
    ru: 'Поздравление с Днём Независимости',
    kk: 'Тәуелсіздік күнімен құттықтау',
    en: 'Independence Day greeting',
  },
  text: '{{Имя|Құрметті клиент}}, Тәуелсіздік күні құтты болсын! С праздником! Ромашка',
  sourceName: {
    ru: 'Постоянные покупатели.xlsx',
    kk: 'Тұрақты сатып алушылар.xlsx',
    en: 'Regular customers.xlsx',
  },
  rows: [
    ...NAMES.slice(0, 9).map((name) => ({ name, verdict: 'send' as RowVerdict, reason: null })),
    { name: NAMES[0] as string, verdict: 'duplicate' as RowVerdict, reason: '2' },
    { name: 'Света', verdict: 'invalid' as RowVerdict, reason: 'too_short' },
    { name: 'Офис', verdict: 'cannot_receive' as RowVerdict, reason: null },
  ],
} as const;
