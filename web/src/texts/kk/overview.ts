import type { overview as model } from '../ru/overview.ts';

export const overview = {
  title: 'Шолу',
  balance: 'Баланс',
  lasts: (messengers, sms, write) =>
    `Мессенджерлерге ${write(messengers)} хабарламаға немесе ${write(sms)} SMS-ке жетеді`,
  daysLeft: (days, write) =>
    days === 0
      ? 'Қазіргі шығынмен бір күнге де жетпейді.'
      : days > 365
        ? 'Қазіргі шығынмен бір жылдан астам уақытқа жетеді.'
        : `Қазіргі шығынмен ≈ ${write(days)} күнге жетеді.`,
  noSpending: 'Соңғы 7 күнде ақы алынған жоқ.',
  held: (money) => `Резервте ${money}.`,
  today: 'Бүгін жіберілді',
  weekAgo: (count) => `бір апта бұрын осы сағатта — ${count}`,
  confirmedToday: 'Жеткізілгені расталды',
  confirmedOf: (confirmed, sends) => `бүгін ${sends} ішінен ${confirmed}`,
  staleSince: (clock) => `${clock} кезіндегі дерек: жаңарту мүмкін болмады`,
  problemsTitle: 'Назар аударыңыз',
  problems: {
    low_balance: (money) => `Баланста ${money} қалды: жіберу жақында тоқтайды.`,
    channel_failing: (channel, count) => `${channel}: соңғы сағатта ${count} жіберілім өтпеді.`,
    webhook_failing: (url, hours) => `${url} вебхугы: ${hours} сағаттан бері қате.`,
    webhook_off: (url) => `${url} вебхугы өшірілді: серверіңіз жауап бермеді.`,
    key_idle: (key, days) =>
      `«${key}» кілті ${days} күн қолданылмаған. Артық кілтті қайтарып алған дұрыс.`,
    many_failures: (_, count) => `Бір тәулікте ${count} хабарлама жеткізілмеді.`,
  },
  look: 'Қарау',
  stepsTitle: 'Алғашқы қадамдар',
  stepsDone: (done, all) => `${done} / ${all} орындалды`,
  hideSteps: 'Жасыру',
  stepDone: 'орындалды',
  steps: {
    has_test_send: {
      title: 'Сынақ кодын жіберіңіз',
      note: 'Тегін: хабарлама виртуалды телефонға келеді.',
      action: 'Жіберуді тексеру',
    },
    has_verified: {
      title: 'Кодты тексеріңіз',
      note: 'Келген кодты енгізіңіз: сервисіңіз нөмірдің шын екенін осылай біледі.',
      action: 'Тексеру',
    },
    has_live_key: {
      title: 'Нақты кілт жасаңыз',
      note: 'Кілт бір рет қана көрсетіледі. Оны серверде сақтаңыз.',
      action: 'Кілттерге',
    },
    has_live_send: {
      title: 'Алғашқы шынайы хабарламаны жіберіңіз',
      note: 'Сынақ кілтін нақты кілтке ауыстырыңыз: сұраулар дәл сол қалпында қалады.',
      action: 'API сипаттамасы',
    },
    has_colleague: {
      title: 'Әріптесіңізді шақырыңыз',
      note: 'Әркімнің өз рөлі бар: бухгалтер ақшаны, әзірлеуші кілттерді көреді.',
      action: 'Шақыру',
    },
  },
  chartsTitle: 'Өзгеріс барысы',
  modeLabel: 'Кілттер режимі',
  allModes: 'Барлығы',
  charts: {
    nothing: 'Бұл кезеңде дерек жоқ.',
    sends: 'Арналар бойынша жіберілді',
    sendsSummary: (all, parts) => `Барлығы ${all} жіберілді: ${parts}.`,
    share: 'Расталғандар үлесі',
    shareSummary: (share) => `Расталған хабарламалар үлесі — ${share}.`,
    time: 'Растауға дейінгі уақыт',
    timeSummary: (least, most) =>
      `Хабарламалардың жартысы ${least} мен ${most} аралығында расталады.`,
    half: 'Жартысы (p50)',
    almostAll: '95 % (p95)',
    spent: 'Шығын',
    spentSummary: (money) => `Кезең ішінде ${money} алынды.`,
  },
  lastTitle: 'Соңғы хабарламалар',
  allMessages: 'Барлық хабарлама',
} satisfies typeof model;
