import type { clientSummary as model } from '../ru/client-summary.ts';

const NOUNS = {
  code: 'код',
  codeWithLink: 'код пен сілтемесі бар хабарлама',
  link: 'сілтемесі бар хабарлама',
  message: 'хабарлама',
} as const;
const TITLES = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS' } as const;
const TAKER = { whatsapp: 'WhatsApp', telegram: 'Telegram', sms: 'SMS операторы' } as const;
const MONTHS =
  'қаңтарда ақпанда наурызда сәуірде мамырда маусымда шілдеде тамызда қыркүйекте қазанда қарашада желтоқсанда'.split(
    ' ',
  );

export const clientSummary = {
  day: (day, month) => `${day} ${MONTHS[month - 1]}`,
  today: (clock) => `сағат ${clock}`,
  onDay: (day, clock) => `${day}, сағат ${clock}`,
  seconds: (count) => `${count} секунд`,
  minutes: (count) => `${count} минут`,
  toPhone: (phone) => `${phone} нөміріне`,
  toGroup: (name) => `«${name}» тобына`,
  sent: (at, thing, to, channel) =>
    `${at}: ${to} ${TITLES[channel]} арқылы ${NOUNS[thing]} жібердік.`,
  tried: (at, thing, to) => `${at}: ${to} ${NOUNS[thing]} жібермек болдық.`,
  asked: (at, thing, to) => `${at}: ${to} ${NOUNS[thing]} жіберу туралы сұрау келді.`,
  why: {
    unconfirmed: (_channel, span) => `${span} бойы растау болмады`,
    failed: (channel) => `${TITLES[channel]} арқылы жеткізу мүмкін болмады`,
    refused: (channel) => `${TAKER[channel]} хабарламаны қабылдамады`,
    unknown: (channel) => `${TAKER[channel]} жауап бермеді`,
  },
  went: (why, thing, channel) =>
    `${why}, сондықтан ${NOUNS[thing]} ${TITLES[channel]} арқылы жіберілді`,
  attempted: (why, channel) => `${why}, сондықтан ${TITLES[channel]} арқылы жібермек болдық`,
  end: {
    delivered: (_thing, at) => ` және жеткізілді (${at}).`,
    read: (_thing, at) => ` және оқылды (${at}).`,
    failed: () => ', бірақ жеткізілмеді.',
    refused: () => ', бірақ хабарлама тағы да қабылданбады.',
    unknown: () => '. Хабарламаның жеткен-жетпегені белгісіз.',
    unconfirmed: () => '. Жеткізілгені расталған жоқ.',
    waiting: () => '. Жеткізілгені расталуын күтудеміз.',
    nothing: '.',
  },
  alone: {
    delivered: (thing, at) => `${thing === 'code' ? 'Код' : 'Хабарлама'} жеткізілді (${at}).`,
    read: (thing, at) => `${thing === 'code' ? 'Код' : 'Хабарлама'} оқылды (${at}).`,
    failed: (thing) =>
      `${thing === 'code' ? 'Код' : 'Хабарлама'} жеткізілмеді: телефон өшірулі, желіден тыс немесе мұндай хабарламаларды қабылдамайды.`,
    refused: (channel) => `${TAKER[channel]} хабарламаны қабылдамады.`,
    unknown: () => 'Хабарламаның жеткен-жетпегені белгісіз.',
    unconfirmed: () => 'Жеткізілгені расталған жоқ.',
    waiting: () => 'Жеткізілгені расталуын күтудеміз.',
    notSent: () => 'Жіберу мүмкін болмады.',
    underWay: () => 'Әлі жіберілуде.',
  },
  late: (at, channel) => `Кейінірек, ${at}, ${TITLES[channel]} арқылы жеткізілгені де расталды.`,
  verified: (at) => `Код дұрыс енгізілді (${at}).`,
  clicked: (at) => `Сілтеме ашылды (${at}).`,
  test: 'Бұл сынақ хабарламасы болды: мұндай хабарламалар телефонға келмейді.',
} satisfies typeof model;
