import type { overview as model } from '../ru/overview.ts';

const LAST_WEEKDAYS = [
  'өткен жексенбіде',
  'өткен дүйсенбіде',
  'өткен сейсенбіде',
  'өткен сәрсенбіде',
  'өткен бейсенбіде',
  'өткен жұмада',
  'өткен сенбіде',
];

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
        : `Қазіргі шығынмен шамамен ${write(days)} күнге жетеді.`,
  noSpending: 'Соңғы 7 күнде ақы алынған жоқ.',
  held: (money) => `Резервте ${money}.`,
  today: 'Бүгін жіберілді',
  weekAgo: (count, weekday) => `${LAST_WEEKDAYS[weekday]} осы уақытта — ${count}`,
  confirmedToday: 'Жеткізілгені расталды',
  confirmedOf: (confirmed, sends) => `бүгін ${sends} ішінен ${confirmed}`,
  staleSince: (clock) => `${clock} кезіндегі дерек: жаңарту мүмкін болмады`,
  problemsTitle: 'Назар аударыңыз',
  problems: {
    low_balance: (money) => `Баланста ${money} қалды: жақында хабарламалар жіберілмей қалады.`,
    channel_failing: (channel, count) =>
      `${channel}: соңғы сағатта ${count} хабарлама жіберілмеді.`,
    webhook_failing: (url, hours) => `${url} вебхугы: ${hours} сағаттан бері қате.`,
    webhook_off: (url) => `${url} вебхугы өшірілді: серверіңіз жауап бермеді.`,
    key_idle: (key, days) =>
      `«${key}» кілті ${days} күн қолданылмаған. Керек болмаса, қайтарып алыңыз.`,
    key_expired: (key) =>
      `«${key}» кілтінің мерзімі өтті: сұраулар қабылданбайды. Ұзартыңыз немесе қайтарып алыңыз.`,
    key_expires: (key, days) =>
      days === 0
        ? `«${key}» кілтінің мерзімі бүгін бітеді.`
        : `«${key}» кілтінің мерзімі ${days} күннен кейін бітеді.`,
    many_failures: (_, count) => `Бір тәулікте ${count} хабарлама жеткізілмеді.`,
  },
  look: 'Қарау',
  stepsTitle: 'Алғашқы қадамдар',
  stepsDone: (done, all) => `${done} / ${all} орындалды`,
  nameQuestion: 'Атыңыз кім?',
  notNow: 'Кейін',
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
      note: 'Келген кодты енгізіңіз: сервисіңіз нөмірді осылай тексереді.',
      action: 'Тексеру',
    },
    has_live_key: {
      title: 'Нақты кілт жасаңыз',
      note: 'Кілт бір рет қана көрсетіледі. Оны серверде сақтаңыз.',
      action: 'Кілттерге',
    },
    has_live_send: {
      title: 'Алғашқы нақты хабарламаны жіберіңіз',
      note: 'Сынақ кілтін нақты кілтке ауыстырыңыз: сұраулар дәл сол қалпында қалады.',
      action: 'API анықтамалығы',
    },
    has_colleague: {
      title: 'Әріптесіңізді шақырыңыз',
      note: 'Әркімнің өз рөлі бар: бухгалтер ақшаны, әзірлеуші кілттерді көреді.',
      action: 'Шақыру',
    },
  },
  chartsTitle: 'Динамика',
  modeLabel: 'Кілттер режимі',
  allModes: 'Барлығы',
  charts: {
    nothing: 'Бұл кезеңде дерек жоқ.',
    seconds: 'с',
    sends: 'Арналар бойынша жіберілді',
    sendsSummary: (all, parts) => `Барлығы ${all} жіберілді: ${parts}.`,
    share: 'Жеткізілгендер үлесі',
    shareSummary: (share) => `Жеткізілгені расталған хабарламалар үлесі — ${share}.`,
    time: 'Жеткізілгенге дейінгі уақыт',
    timeSummary: (least, most) =>
      `Жеткізілгенге дейінгі уақыттың медианасы — ${least === most ? least : `${least}–${most}`}.`,
    half: 'Медиана: жартысы жылдамырақ',
    almostAll: 'p95: 95 % жылдамырақ',
    spent: 'Шығын',
    spentSummary: (money) => `Кезең ішінде ${money} жұмсалды.`,
  },
  lastTitle: 'Соңғы хабарламалар',
  allMessages: 'Барлық хабарлама',
} satisfies typeof model;
