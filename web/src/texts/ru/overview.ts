import { pluralRu } from '../plural.ts';

const LAST_WEEKDAYS = [
  'в прошлое воскресенье',
  'в прошлый понедельник',
  'в прошлый вторник',
  'в прошлую среду',
  'в прошлый четверг',
  'в прошлую пятницу',
  'в прошлую субботу',
];

type Write = (value: number) => string;

export const overview = {
  title: 'Обзор',
  balance: 'Баланс',
  lasts: (messengers: number, sms: number, write: Write) =>
    `Хватит на ${write(messengers)} ${pluralRu(messengers, 'сообщение', 'сообщения', 'сообщений')} в мессенджеры или ${write(sms)} SMS`,
  daysLeft: (days: number, write: Write) =>
    days === 0
      ? 'При нынешнем расходе не хватит и на день.'
      : days > 365
        ? 'При нынешнем расходе хватит больше чем на год.'
        : `При нынешнем расходе хватит примерно на ${write(days)} ${pluralRu(days, 'день', 'дня', 'дней')}.`,
  noSpending: 'За последние 7 дней ничего не списано.',
  held: (money: string) => `В резерве ${money}.`,
  today: 'Сегодня отправлено',
  weekAgo: (count: string, weekday: number) =>
    `${LAST_WEEKDAYS[weekday]} к этому времени — ${count}`,
  confirmedToday: 'Доставка подтверждена',
  confirmedOf: (confirmed: string, sends: string) => `${confirmed} из ${sends} за сегодня`,
  staleSince: (clock: string) => `Данные на ${clock}: обновить не удалось`,
  problemsTitle: 'Требует внимания',
  problems: {
    low_balance: (money: string) => `На балансе осталось ${money}: отправки скоро остановятся.`,
    channel_failing: (channel: string, count: number) =>
      `${channel}: за последний час не отправлено ${count} ${pluralRu(count, 'сообщение', 'сообщения', 'сообщений')}.`,
    webhook_failing: (url: string, hours: number) =>
      `Вебхук ${url}: ошибки уже ${hours} ${pluralRu(hours, 'час', 'часа', 'часов')}.`,
    webhook_off: (url: string) => `Вебхук ${url} выключен: ваш сервер не отвечал.`,
    key_idle: (key: string, days: number) =>
      `Ключ «${key}» не использовался ${days} ${pluralRu(days, 'день', 'дня', 'дней')}. Если он не нужен, отзовите его.`,
    key_expired: (key: string, _: number) =>
      `Срок действия ключа «${key}» истёк: запросы получают отказ. Продлите его или отзовите.`,
    key_expires: (key: string, days: number) =>
      days === 0
        ? `Срок действия ключа «${key}» истекает сегодня.`
        : `Срок действия ключа «${key}» истекает через ${days} ${pluralRu(days, 'день', 'дня', 'дней')}.`,
    many_failures: (_: string, count: number) =>
      `За сутки не доставлено ${count} ${pluralRu(count, 'сообщение', 'сообщения', 'сообщений')}.`,
  },
  look: 'Посмотреть',
  stepsTitle: 'Первые шаги',
  stepsDone: (done: number, all: number) => `${done} из ${all}`,
  nameQuestion: 'Как вас зовут?',
  notNow: 'Не сейчас',
  hideSteps: 'Скрыть',
  stepDone: 'сделано',
  steps: {
    has_test_send: {
      title: 'Отправьте тестовый код',
      note: 'Бесплатно: сообщение придёт в виртуальный телефон.',
      action: 'Проверить отправку',
    },
    has_verified: {
      title: 'Проверьте код',
      note: 'Введите полученный код: так ваш сервис проверяет номер.',
      action: 'Проверить',
    },
    has_live_key: {
      title: 'Создайте боевой ключ',
      note: 'Ключ показывается один раз. Храните его на сервере.',
      action: 'К ключам',
    },
    has_live_send: {
      title: 'Отправьте первое настоящее сообщение',
      note: 'Замените тестовый ключ на боевой: запросы те же самые.',
      action: 'Справочник API',
    },
    has_colleague: {
      title: 'Пригласите коллегу',
      note: 'У каждого своя роль: бухгалтер видит деньги, разработчик — ключи.',
      action: 'Пригласить',
    },
  },
  chartsTitle: 'Динамика',
  modeLabel: 'Режим ключей',
  allModes: 'Все',
  charts: {
    nothing: 'За период данных нет.',
    seconds: 'с',
    sends: 'Отправлено по каналам',
    sendsSummary: (all: string, parts: string) => `Всего отправлено ${all}: ${parts}.`,
    share: 'Доля доставленных',
    shareSummary: (share: string) => `Доставка подтверждена для ${share} сообщений.`,
    time: 'Время до доставки',
    timeSummary: (least: string, most: string) =>
      `Медиана времени до доставки — ${least === most ? least : `${least}–${most}`}.`,
    half: 'Медиана: половина быстрее',
    almostAll: 'p95: 95 % быстрее',
    spent: 'Расход',
    spentSummary: (money: string) => `За период списано ${money}.`,
  },
  lastTitle: 'Последние сообщения',
  allMessages: 'Все сообщения',
};
