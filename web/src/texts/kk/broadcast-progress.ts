import { RECIPIENT_TEXTS_KK } from '@zhiber/contract/cabinet/recipient-texts.ts';
import { capitaliseAll } from '../capitalise.ts';
import type { broadcastProgress as model } from '../ru/broadcast-progress.ts';

export const broadcastProgress: typeof model = {
  outcomes: capitaliseAll(RECIPIENT_TEXTS_KK.outcomes),
  skipped: capitaliseAll(RECIPIENT_TEXTS_KK.skipped),

  scheduled: (time) => `Алматы уақытымен ${time} басталады`,
  scheduledAtOnce: 'Бір минут ішінде басталады',
  scheduledNote: 'Басталғанға дейін таратуды қараламаға қайтарып, өзгертуге болады.',
  withdraw: 'Қараламаға қайтару',

  pauses: {
    person: {
      title: 'Кідіртілген',
      advice: 'Тарату кідіртілді. Дайын болғанда жалғастырыңыз.',
    },
    operator: {
      title: 'Сервис операторы тоқтатты',
      advice: 'Сервис операторына жазыңыз: ол нені түзету керегін айтады.',
    },
    quiet: {
      title: 'Тыныш сағаттар',
      advice: 'Бұл уақытта хабарлама жібермейміз. Тарату өзі жалғасады.',
    },
    money: {
      title: 'Қаражат жеткіліксіз',
      advice: 'Балансты толтырыңыз: тарату тоқтаған жерінен өзі жалғасады.',
    },
    failures: {
      title: 'Қате тым көп',
      advice:
        'Соңғы хабарламалардың 20 %-дан астамы жеткізілмеді, сондықтан тоқтаттық. Төмендегі себептерді қарап, түзетіп, жалғастырыңыз.',
    },
    channel: {
      title: 'Арна қолжетімсіз',
      advice: 'Арна іске қосылғанда тарату өзі жалғасады.',
    },
    suspended: {
      title: 'Компанияның жұмысы тоқтатылған',
      advice: 'Себебі компания бетінде жазылған. Сервис операторына жазыңыз.',
    },
    late: {
      title: 'Бастау уақыты өтіп кетті',
      advice: 'Тарату басталуы керек кезде сервис жұмыс істемеді. Оны қазір жібере аласыз.',
    },
  },
  detail: 'Толығырақ',
  resumesAt: (time) => `Алматы уақытымен ${time} жалғасады.`,
  topUp: 'Балансты толтыру',
  pause: 'Кідірту',
  paused: (count, shown) =>
    count === 0
      ? 'Тарату кідіртілді. Арналарға басқа ештеңе берілген жоқ.'
      : `Тарату кідіртілді. Арналарда ${shown} хабарлама бар: олар жетеді.`,
  resume: 'Жалғастыру',
  resumeFrom: (number) => `${number}-алушыдан жалғастырамыз; ешкімге екінші рет жіберілмейді.`,
  resumed: 'Тарату жалғасуда',
  cancel: 'Біржола тоқтату',
  cancelTitle: 'Таратуды біржола тоқтату керек пе?',
  cancelNote: (left, held) =>
    `Хабарламасыз қалатын алушылар: ${left}. ${held} резерв балансқа қайтады. Жіберілгенді қайтарып алуға да, таратуды кейін жалғастыруға да болмайды.`,
  cancelled: 'Тарату тоқтатылды',

  progress: 'Тарату барысы',
  done: (taken, all) => `${taken} / ${all}`,
  announced: (percent) => `${percent} % жіберілді`,
  outcome: 'Күйі',
  recipients: 'Алушылар',
  share: 'Үлесі',
  total: 'Барлығы',
  rate: 'Жылдамдығы',
  perSecond: (rate) => `секундына ${rate}`,
  perMinute: (rate) => `минутына ${rate}`,
  endsAt: 'Шамамен аяқталады',
  unknownEnd: 'Әзірге белгісіз',
  charged: 'Жұмсалды',
  held: (money) => `Резервте ${money}`,
  clicked: 'Сілтемені ашты',
  unsubscribed: 'Бас тартты',
  started: 'Басталды',
  ended: 'Аяқталды',
  text: 'Мәтін',
  whatsappTemplate: 'WhatsApp үлгісі',
  link: 'Сілтеме',
  tabIsSafe: 'Қойындыны жаба беруге болады: тарату серверде жүріп жатыр.',

  funnel: 'Воронка',
  funnelSteps: {
    sent: 'Жіберілді',
    delivered: 'Жеткізілді',
    read: 'Оқылды',
    clicked: 'Сілтемені ашты',
    unsubscribed: 'Бас тартты',
  },
  funnelNote:
    'Үлестер барлық алушыдан есептелген. Оқылғанын WhatsApp пен Telegram хабарлайды, SMS хабарламайды. Роботтар есепке кірмейді.',
  times: 'Уақыт бойынша',
  timesSummary: (sent, delivered, failed, clicked) =>
    `Жіберілді: ${sent}, жеткізілді: ${delivered}, жеткізілмеді: ${failed}, сілтемені ашты: ${clicked}.`,
  minute: 'Минут',
  hour: 'Сағат',
  series: {
    sent: 'Жіберілді',
    delivered: 'Жеткізілді',
    failed: 'Жеткізілмеді',
    clicked: 'Сілтемені ашты',
  },
  byChannel: 'Арналар бойынша',
  channel: 'Арна',
  noneCarried: 'Арналар әлі ештеңе қабылдаған жоқ.',
  reasons: 'Жеткізілмеу себептері',
  reason: 'Себебі',
  noReason: 'Себебі көрсетілмеген',
  noReasons: 'Қате жоқ.',
  lastFailures: 'Соңғы қателер',
  list: 'Алушылар',
  show: 'Көрсету',
  filters: {
    all: 'Барлығы',
    clicked: 'Ашқандар',
    not_clicked: 'Ашпағандар',
    failed: 'Жеткізілмеді',
    unknown: 'Нәтижесі белгісіз',
    skipped: 'Жіберілмеді',
  },
  number: 'Жол',
  phone: 'Телефон',
  cost: 'Құны',
  clickedAt: 'Ашты',
  nobody: 'Ондай алушы жоқ.',
  export: 'Жүктеп алу',
  exports: {
    all: 'Барлық алушы',
    failed: 'Жеткізілмегендер',
    clicked: 'Сілтемені ашқандар',
    not_clicked: 'Сілтемені ашпағандар',
  },
  formats: { xlsx: 'Excel (XLSX)', csv: 'CSV' },
  repeat: 'Жеткізілмегендерге қайталау',
  repeatTitle: (_count, shown) => `Жаңа қаралама: ${shown} алушы`,
  repeatNote:
    'Мәтін, арналар және бағандар сол күйінде қалады, жібергенге дейін бәрін өзгертуге болады. Бас тартқандарға жіберілмейді. Нәтижесі белгісіз алушыларға қайталамаймыз: олар хабарламаны алған болуы мүмкін.',
  repeatAction: 'Қаралама жасау',
};
