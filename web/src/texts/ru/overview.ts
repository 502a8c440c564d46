import { pluralRu } from '../plural.ts';

type Write = (value: number) => string;

export const overview = {
  title: 'Обзор',
  balance: 'Баланс',
  lasts: (messengers: number, sms: number, write: Write) =>
    `Хватит на ${write(messengers)} ${pluralRu(messengers, 'сообщение', 'сообщения', 'сообщений')} в мессенджеры или ${write(sms)} SMS`,
  daysLeft: (days: number, write: Write) =>
    days === 0
      ? 'Меньше дня при текущем расходе.'
      : days > 365
        ? 'Больше года при текущем расходе.'
        : `≈ ${write(days)} ${pluralRu(days, 'день', 'дня', 'дней')} при текущем расходе.`,
  noSpending: 'За последние 7 дней ничего не списано.',
  held: (money: string) => `В резерве ${money}.`,
  today: 'Сегодня отправлено',
  weekAgo: (count: string) => `неделю назад к этому часу — ${count}`,
  confirmedToday: 'Доставка подтверждена',
  confirmedOf: (confirmed: string, sends: string) => `${confirmed} из ${sends} за сегодня`,
  staleSince: (clock: string) => `Данные на ${clock}: обновить не удалось`,
  problemsTitle: 'Требует внимания',
  problems: {
    low_balance: (money: string) => `На балансе осталось ${money}: отправки скоро остановятся.`,
    channel_failing: (channel: string, count: number) =>
      `${channel}: за последний час не прошло ${count} ${pluralRu(count, 'отправка', 'отправки', 'отправок')}.`,
    webhook_failing: (url: string, hours: number) =>
      `Вебхук ${url}: ошибки уже ${hours} ${pluralRu(hours, 'час', 'часа', 'часов')}.`,
    webhook_off: (url: string) => `Вебхук ${url} выключен: ваш сервер не отвечал.`,
    key_idle: (key: string, days: number) =>
      `Ключом «${key}» не пользовались ${days} ${pluralRu(days, 'день', 'дня', 'дней')}. Лишний ключ лучше отозвать.`,
    many_failures: (_: string, count: number) =>
      `За сутки не доставлено ${count} ${pluralRu(count, 'сообщение', 'сообщения', 'сообщений')}.`,
  },
  look: 'Посмотреть',
  stepsTitle: 'Первые шаги',
  stepsDone: (done: number, all: number) => `${done} из ${all}`,
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
      note: 'Введите пришедший код: так ваш сервис узнаёт, что номер настоящий.',
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
      action: 'Описание API',
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
    sends: 'Отправлено по каналам',
    sendsSummary: (all: string, parts: string) => `Всего отправлено ${all}: ${parts}.`,
    share: 'Доля подтверждённых',
    shareSummary: (share: string) => `Подтверждено ${share} отправленных сообщений.`,
    time: 'Время до подтверждения',
    timeSummary: (least: string, most: string) =>
      `Половина сообщений подтверждается за время от ${least} до ${most}.`,
    half: 'Половина (p50)',
    almostAll: '95 % (p95)',
    spent: 'Расход',
    spentSummary: (money: string) => `За период списано ${money}.`,
  },
  lastTitle: 'Последние сообщения',
  allMessages: 'Все сообщения',
};
