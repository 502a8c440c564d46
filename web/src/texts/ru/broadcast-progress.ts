import type { PauseReason } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { RECIPIENT_TEXTS_RU } from '@zhiber/contract/cabinet/recipient-texts.ts';
import { capitaliseAll } from '../capitalise.ts';
import { pluralRu } from '../plural.ts';

/** Why it stands still, and what to do about it. */
const pauses: Record<PauseReason, { title: string; advice: string }> = {
  person: {
    title: 'На паузе',
    advice: 'Рассылку поставили на паузу. Продолжите её, когда будете готовы.',
  },
  operator: {
    title: 'Остановил оператор сервиса',
    advice: 'Напишите оператору сервиса: он скажет, что исправить.',
  },
  quiet: {
    title: 'Тихие часы',
    advice: 'В это время сообщения не отправляем. Рассылка продолжится сама.',
  },
  money: {
    title: 'Недостаточно средств',
    advice: 'Пополните баланс: рассылка продолжится сама с того же места.',
  },
  failures: {
    title: 'Слишком много ошибок',
    advice:
      'Больше 20 % последних сообщений не доставлены, поэтому мы остановились. Посмотрите причины ниже, исправьте их и продолжите.',
  },
  channel: {
    title: 'Канал недоступен',
    advice: 'Как только канал заработает, рассылка продолжится сама.',
  },
  suspended: {
    title: 'Работа компании приостановлена',
    advice: 'Причина указана на странице компании. Напишите оператору сервиса.',
  },
  late: {
    title: 'Время старта прошло',
    advice:
      'Сервис не работал, когда рассылка должна была начаться. Вы можете отправить её сейчас.',
  },
};

const messages = (count: number, shown: string) =>
  `${shown} ${pluralRu(count, 'сообщение', 'сообщения', 'сообщений')}`;

export const broadcastProgress = {
  outcomes: capitaliseAll(RECIPIENT_TEXTS_RU.outcomes),
  skipped: capitaliseAll(RECIPIENT_TEXTS_RU.skipped),

  scheduled: (time: string) => `Начнётся ${time} по Алматы`,
  scheduledAtOnce: 'Начнётся в ближайшую минуту',
  scheduledNote: 'До начала рассылку можно вернуть в черновики и изменить.',
  withdraw: 'Вернуть в черновики',

  pauses,
  detail: 'Подробности',
  resumesAt: (time: string) => `Продолжится ${time} по Алматы.`,
  topUp: 'Пополнить баланс',
  pause: 'Поставить на паузу',
  paused: (count: number, shown: string) =>
    count === 0
      ? 'Рассылка на паузе. Каналам больше ничего не передано.'
      : `Рассылка на паузе. Уже у каналов ${messages(count, shown)}: они дойдут.`,
  resume: 'Продолжить',
  resumeFrom: (number: string) => `Продолжим с получателя ${number}; повторных отправок не будет.`,
  resumed: 'Рассылка продолжается',
  cancel: 'Остановить навсегда',
  cancelTitle: 'Остановить рассылку навсегда?',
  cancelNote: (left: string, held: string) =>
    `Без сообщения останутся получатели: ${left}. Резерв ${held} вернётся на баланс. Отправленное отозвать нельзя, продолжить рассылку потом тоже.`,
  cancelled: 'Рассылка остановлена',

  progress: 'Ход рассылки',
  done: (taken: string, all: string) => `${taken} из ${all}`,
  announced: (percent: number) => `Отправлено ${percent} %`,
  outcome: 'Состояние',
  recipients: 'Получатели',
  share: 'Доля',
  total: 'Всего',
  rate: 'Скорость',
  perSecond: (rate: string) => `${rate} в секунду`,
  perMinute: (rate: string) => `${rate} в минуту`,
  endsAt: 'Закончится примерно',
  unknownEnd: 'Пока неизвестно',
  charged: 'Потрачено',
  held: (money: string) => `В резерве ${money}`,
  clicked: 'Перешли по ссылке',
  unsubscribed: 'Отписались',
  started: 'Началась',
  ended: 'Закончилась',
  text: 'Текст',
  whatsappTemplate: 'Шаблон WhatsApp',
  link: 'Ссылка',
  tabIsSafe: 'Вкладку можно закрыть: рассылка идёт на сервере.',

  funnel: 'Воронка',
  funnelSteps: {
    sent: 'Отправлено',
    delivered: 'Доставлено',
    read: 'Прочитано',
    clicked: 'Перешли по ссылке',
    unsubscribed: 'Отписались',
  },
  funnelNote:
    'Доли — от всех получателей. О прочтении сообщают WhatsApp и Telegram, SMS — нет. Роботов среди перешедших не считаем.',
  times: 'По времени',
  timesSummary: (sent: string, delivered: string, failed: string, clicked: string) =>
    `Отправлено ${sent}, доставлено ${delivered}, не доставлено ${failed}, перешли по ссылке ${clicked}.`,
  minute: 'Минута',
  hour: 'Час',
  series: {
    sent: 'Отправлено',
    delivered: 'Доставлено',
    failed: 'Не доставлено',
    clicked: 'Перешли по ссылке',
  },
  byChannel: 'По каналам',
  channel: 'Канал',
  noneCarried: 'Каналы ещё ничего не приняли.',
  reasons: 'Причины недоставки',
  reason: 'Причина',
  noReason: 'Причина не указана',
  noReasons: 'Ошибок нет.',
  lastFailures: 'Последние ошибки',
  list: 'Получатели',
  show: 'Показать',
  filters: {
    all: 'Всех',
    clicked: 'Перешли',
    not_clicked: 'Не перешли',
    failed: 'Не доставлено',
    unknown: 'Исход неизвестен',
    skipped: 'Не отправлялось',
  },
  number: 'Строка',
  phone: 'Телефон',
  cost: 'Стоимость',
  clickedAt: 'Перешёл',
  nobody: 'Таких получателей нет.',
  export: 'Скачать',
  exports: {
    all: 'Всех получателей',
    failed: 'Кому не доставлено',
    clicked: 'Кто перешёл',
    not_clicked: 'Кто не перешёл',
  },
  formats: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
  repeat: 'Повторить неудачным',
  repeatTitle: (count: number, shown: string) =>
    `Новый черновик: ${shown} ${pluralRu(count, 'получатель', 'получателя', 'получателей')}`,
  repeatNote:
    'Текст, каналы и столбцы останутся теми же, до отправки всё можно изменить. Кто отписался, в рассылку не попадёт. Получателям с неизвестным исходом не повторяем: они могли получить сообщение.',
  repeatAction: 'Создать черновик',
};
