/**
 * What the operations and fields of the API mean, in the languages of the documentation. The OpenAPI
 * description and the reference page are made from it. A field of a request or an answer without a
 * text in every language does not compile.
 */
import type { Lang } from '../languages.ts';
import type { ENDPOINTS } from './endpoints.ts';
import type { ErrorAnswer } from './error-answer.ts';
import type { EventType } from './events.ts';
import type { GroupSendAnswer, GroupSendRequest } from './group.ts';
import type { HealthAnswer } from './health.ts';
import {
  ALIAS_LENGTH_MAX,
  ALIAS_LENGTH_MIN,
  CODE_LENGTH_DEFAULT,
  CODE_TTL_SECONDS_DEFAULT,
  GROUP_PER_MINUTE_MAX,
  GROUP_TEXT_LENGTH_MAX,
  IDEMPOTENCY_HOURS,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  INBOX_WAIT_SECONDS_MAX,
  LINK_TEXT_LENGTH_MAX,
  PURPOSE_LENGTH_MAX,
  SEND_INTERVAL_SECONDS,
  SENT_LINK_TTL_SECONDS,
  URL_LENGTH_MAX,
  WRONG_PER_CODE_MAX,
} from './limits.ts';
import type {
  LinkSendAnswer,
  LinkSendRequest,
  LinkShortenAnswer,
  LinkShortenRequest,
} from './links.ts';
import type { OtpSendAnswer, OtpSendRequest, OtpVerifyAnswer, OtpVerifyRequest } from './otp.ts';
import type { SandboxClearedAnswer, SandboxMessage, SandboxMessagesAnswer } from './sandbox.ts';

export type Localized = Readonly<Record<Lang, string>>;

const SENT_LINK_DAYS = SENT_LINK_TTL_SECONDS / 86_400;

export const API_TEXT: Localized = {
  ru:
    'Коды подтверждения и короткие ссылки в WhatsApp, Telegram и SMS. Решение принимайте по полю ' +
    '`success`: оно есть в каждом ответе. Поле `message` всегда на русском языке. В ответах могут появляться ' +
    'новые поля и новые значения `error_code`.',
  kk:
    'WhatsApp, Telegram және SMS арқылы растау кодтары мен қысқа сілтемелер. Шешімді `success` өрісі бойынша ' +
    'қабылдаңыз: ол әр жауапта бар. `message` өрісі әрқашан орыс тілінде. Жауаптарда жаңа өрістер мен ' +
    '`error_code` жаңа мәндері пайда болуы мүмкін.',
  en:
    'Verification codes and short links over WhatsApp, Telegram and SMS. Rely on the `success` field: every ' +
    'response has it. The `message` field is always in Russian. Responses may gain new fields and new values of ' +
    '`error_code`.',
};

export const DOCS_TEXT: Localized = {
  ru: 'Документация',
  kk: 'Құжаттама',
  en: 'Documentation',
};

export const API_KEY_TEXT: Localized = {
  ru: 'Ключ из кабинета: `zk_live_…` или `zk_test_…`. Храните его только на сервере.',
  kk: 'Кабинеттегі кілт: `zk_live_…` немесе `zk_test_…`. Оны тек серверде сақтаңыз.',
  en: 'A key from the dashboard: `zk_live_…` or `zk_test_…`. Keep it on your server only.',
};

/** The groups of operations. */
export const TAG_TEXTS = {
  otp: {
    title: { ru: 'Коды', kk: 'Кодтар', en: 'Codes' },
    text: {
      ru: 'Отправка и проверка одноразовых кодов.',
      kk: 'Бір реттік кодтарды жіберу және тексеру.',
      en: 'Sending and verifying one-time codes.',
    },
  },
  links: {
    title: { ru: 'Ссылки', kk: 'Сілтемелер', en: 'Links' },
    text: {
      ru: 'Сокращение ссылок и их отправка на телефон.',
      kk: 'Сілтемелерді қысқарту және телефонға жіберу.',
      en: 'Shortening links and sending them to a phone.',
    },
  },
  groups: {
    title: { ru: 'Группы', kk: 'Топтар', en: 'Groups' },
    text: {
      ru: 'Сообщения в группы мессенджеров.',
      kk: 'Мессенджер топтарына хабарлама жіберу.',
      en: 'Messages to messenger groups.',
    },
  },
  health: {
    title: { ru: 'Состояние', kk: 'Жай-күйі', en: 'Health' },
    text: {
      ru: 'Проверка, что сервис принимает запросы.',
      kk: 'Сервистің сұрауларды қабылдап тұрғанын тексеру.',
      en: 'Checking that the service accepts requests.',
    },
  },
  sandbox: {
    title: { ru: 'Виртуальный телефон', kk: 'Виртуалды телефон', en: 'Virtual phone' },
    text: {
      ru: 'Сообщения тестовых ключей, для автоматических тестов. Вне `/api`: это не часть API.',
      kk: 'Сынақ кілттерінің хабарламалары, автоматты тесттер үшін. `/api` сыртында: API бөлігі емес.',
      en: 'Messages of test keys, for automated tests. Outside `/api`: not part of the API.',
    },
  },
  events: {
    title: { ru: 'Вебхуки', kk: 'Вебхуктар', en: 'Webhooks' },
    text: {
      ru:
        'События, которые сервис отправляет на ваш адрес. Бета: формат может измениться. Вход и регистрация ' +
        'должны опираться на ответ API, а не на события.',
      kk:
        'Сервис сіздің мекенжайыңызға жіберетін оқиғалар. Бета: пішімі өзгеруі мүмкін. Кіру мен тіркелу ' +
        'оқиғаларға емес, API жауабына сүйенуі керек.',
      en:
        'Events that the service sends to your address. Beta: the format may change. Sign-in and sign-up must ' +
        'rely on the API response, not on events.',
    },
  },
} as const satisfies Record<string, { title: Localized; text: Localized }>;

export type Tag = keyof typeof TAG_TEXTS;

export type OperationText = { summary: Localized; text: Localized };

export const OPERATION_TEXTS = {
  otpSend: {
    summary: {
      ru: 'Отправить одноразовый код',
      kk: 'Бір реттік код жіберу',
      en: 'Send a one-time code',
    },
    text: {
      ru:
        `Отправляет код из ${CODE_LENGTH_DEFAULT} цифр (длину задаёт ключ). На один номер — не чаще раза в ` +
        `${SEND_INTERVAL_SECONDS} секунд. С \`link\` короткая ссылка приходит в том же сообщении. Токены ` +
        'списываются только за успешную отправку.',
      kk:
        `${CODE_LENGTH_DEFAULT} цифрдан тұратын код жібереді (ұзындығын кілт белгілейді). Бір нөмірге ` +
        `${SEND_INTERVAL_SECONDS} секундта бір реттен артық емес. \`link\` берілсе, қысқа сілтеме сол хабарламада ` +
        'келеді. Токендер тек сәтті жіберу үшін алынады.',
      en:
        `Sends a code of ${CODE_LENGTH_DEFAULT} digits (the key sets the length). At most one send per phone ` +
        `in ${SEND_INTERVAL_SECONDS} seconds. With \`link\`, the short link comes in the same message. Only a ` +
        'successful send is charged.',
    },
  },
  otpVerify: {
    summary: { ru: 'Проверить код', kk: 'Кодты тексеру', en: 'Verify a code' },
    text: {
      ru:
        'Код подходит один раз, с тем же ключом, номером и `purpose`, что при отправке. После ' +
        `${WRONG_PER_CODE_MAX} неверных попыток нужен новый код.`,
      kk:
        'Код бір рет қана, жібергендегі кілтпен, нөмірмен және `purpose` мәнімен жарайды. ' +
        `${WRONG_PER_CODE_MAX} қате әрекеттен кейін жаңа код керек.`,
      en:
        'A code works once, with the same key, phone and `purpose` as it was sent with. After ' +
        `${WRONG_PER_CODE_MAX} wrong attempts a new code is needed.`,
    },
  },
  linkShorten: {
    summary: { ru: 'Сократить ссылку', kk: 'Сілтемені қысқарту', en: 'Shorten a link' },
    text: {
      ru: 'Создаёт короткую ссылку. Ничего не отправляет и не списывает.',
      kk: 'Қысқа сілтеме жасайды. Ештеңе жібермейді және токен алмайды.',
      en: 'Creates a short link. Sends nothing and charges nothing.',
    },
  },
  linkSend: {
    summary: {
      ru: 'Сократить ссылку и отправить её',
      kk: 'Сілтемені қысқартып жіберу',
      en: 'Shorten a link and send it',
    },
    text: {
      ru:
        'Сокращает ссылку и отправляет её на телефон, без кода. Ссылка действует ' +
        `${SENT_LINK_DAYS} дней. Токены списываются только за успешную отправку.`,
      kk:
        'Сілтемені қысқартып, телефонға кодсыз жібереді. Сілтеме ' +
        `${SENT_LINK_DAYS} күн жұмыс істейді. Токендер тек сәтті жіберу үшін алынады.`,
      en:
        'Shortens a link and sends it to a phone, without a code. The link works for ' +
        `${SENT_LINK_DAYS} days. Only a successful send is charged.`,
    },
  },
  groupSend: {
    summary: {
      ru: 'Отправить сообщение в группу мессенджера',
      kk: 'Мессенджер тобына хабарлама жіберу',
      en: 'Send a message to a messenger group',
    },
    text: {
      ru:
        'Группу сначала привязывают в кабинете. В одну группу — не больше ' +
        `${GROUP_PER_MINUTE_MAX} сообщений в минуту.`,
      kk:
        'Топты алдымен кабинетте байланыстырады. Бір топқа минутына ' +
        `${GROUP_PER_MINUTE_MAX} хабарламадан көп емес.`,
      en:
        'The group is linked in the dashboard first. At most ' +
        `${GROUP_PER_MINUTE_MAX} messages a minute to one group.`,
    },
  },
  health: {
    summary: {
      ru: 'Проверить, работает ли сервис',
      kk: 'Сервистің жұмысын тексеру',
      en: 'Check whether the service works',
    },
    text: {
      ru: 'Ключ не нужен. 503 — сейчас нельзя ни отправить, ни проверить код.',
      kk: 'Кілт керек емес. 503 — қазір кодты жіберу де, тексеру де мүмкін емес.',
      en: 'Needs no key. 503 means that codes can be neither sent nor verified now.',
    },
  },
  sandboxMessages: {
    summary: {
      ru: 'Прочитать сообщения виртуального телефона',
      kk: 'Виртуалды телефон хабарламаларын оқу',
      en: 'Read the messages of the virtual phone',
    },
    text: {
      ru:
        'Сообщения, отправленные этим тестовым ключом (в песочнице — любым), новые в конце. С `wait` ждёт, ' +
        'пока сообщение придёт.',
      kk:
        'Осы сынақ кілтімен (құмсалғышта — кез келген кілтпен) жіберілген хабарламалар, жаңалары соңында. ' +
        '`wait` берілсе, хабарлама келгенше күтеді.',
      en:
        'Messages sent with this test key (in the sandbox, with any key), newest last. With `wait`, waits until ' +
        'a message arrives.',
    },
  },
  sandboxClear: {
    summary: {
      ru: 'Очистить виртуальный телефон',
      kk: 'Виртуалды телефонды тазалау',
      en: 'Clear the virtual phone',
    },
    text: {
      ru: 'Удаляет те же сообщения, которые показало бы чтение с этими параметрами.',
      kk: 'Осы параметрлермен оқығанда көрінетін хабарламаларды жояды.',
      en: 'Removes the messages that reading with the same parameters would show.',
    },
  },
} as const satisfies Record<
  keyof typeof ENDPOINTS | 'sandboxMessages' | 'sandboxClear',
  OperationText
>;

export const PARAMETER_TEXTS = {
  'X-Request-Id': {
    ru: 'Ваш номер запроса; вернётся в ответе и попадёт в журнал.',
    kk: 'Сұрауыңыздың нөмірі; жауапта қайтарылады және журналға жазылады.',
    en: 'Your own request id; it is returned in the response and stored in the log.',
  },
  'Idempotency-Key': {
    ru:
      `От 1 до ${IDEMPOTENCY_KEY_LENGTH_MAX} печатных символов ASCII. Повтор с тем же ключом и телом в течение ` +
      `${IDEMPOTENCY_HOURS} часов вернёт первый ответ: сообщение не отправится дважды.`,
    kk:
      `1-ден ${IDEMPOTENCY_KEY_LENGTH_MAX}-ке дейін басылатын ASCII таңбасы. Сол кілтпен және денемен ` +
      `${IDEMPOTENCY_HOURS} сағат ішінде қайталау бірінші жауапты қайтарады: хабарлама екі рет жіберілмейді.`,
    en:
      `1 to ${IDEMPOTENCY_KEY_LENGTH_MAX} printable ASCII characters. A repeat with the same key and body within ` +
      `${IDEMPOTENCY_HOURS} hours returns the first response: nothing is sent twice.`,
  },
  Origin: {
    ru: 'Нужен ключу, который привязан к домену: `https://ваш-домен`.',
    kk: 'Доменге байланған кілтке керек: `https://сіздің-домен`.',
    en: 'Needed by a key that is bound to a domain: `https://your-domain`.',
  },
  phone: {
    ru: 'Только сообщения на этот номер.',
    kk: 'Тек осы нөмірге келген хабарламалар.',
    en: 'Only messages to this phone.',
  },
  since: {
    ru: 'Только сообщения не раньше этого времени (ISO 8601).',
    kk: 'Тек осы уақыттан бергі хабарламалар (ISO 8601).',
    en: 'Only messages from this time on (ISO 8601).',
  },
  wait: {
    ru: `Сколько секунд ждать сообщения, до ${INBOX_WAIT_SECONDS_MAX}.`,
    kk: `Хабарламаны неше секунд күту керек, ${INBOX_WAIT_SECONDS_MAX}-ға дейін.`,
    en: `How many seconds to wait for a message, up to ${INBOX_WAIT_SECONDS_MAX}.`,
  },
} as const satisfies Record<string, Localized>;

export const HEADER_TEXTS = {
  'X-Request-Id': {
    ru: 'Номер запроса: назовите его поддержке.',
    kk: 'Сұрау нөмірі: қолдау қызметіне осыны айтыңыз.',
    en: 'The request id: quote it to support.',
  },
  'X-Test-Mode': {
    ru: '`1` — запрос сделан тестовым ключом.',
    kk: '`1` — сұрау сынақ кілтімен жасалған.',
    en: '`1` when the request was made with a test key.',
  },
  'Idempotent-Replayed': {
    ru: '`true` — это сохранённый ответ на первый запрос с тем же Idempotency-Key.',
    kk: '`true` — бұл сол Idempotency-Key бар бірінші сұраудың сақталған жауабы.',
    en: '`true` when this is the stored response to the first request with this Idempotency-Key.',
  },
  'Retry-After': {
    ru: 'Через сколько секунд повторить.',
    kk: 'Неше секундтан кейін қайталау керек.',
    en: 'After how many seconds to try again.',
  },
  'RateLimit-Policy': {
    ru: 'Лимит запросов ключа: `"key";q=60;w=60` — 60 запросов за 60 секунд. Только у ключей с лимитом.',
    kk: 'Кілттің сұрау шегі: `"key";q=60;w=60` — 60 секундта 60 сұрау. Тек шегі бар кілттерде.',
    en: 'The request limit of the key: `"key";q=60;w=60` is 60 requests in 60 seconds. Only for keys with a limit.',
  },
  RateLimit: {
    ru: 'Сколько запросов осталось (`r`) и через сколько секунд станет больше (`t`).',
    kk: 'Неше сұрау қалды (`r`) және неше секундтан кейін көбейеді (`t`).',
    en: 'How many requests are left (`r`), and in how many seconds there will be more (`t`).',
  },
  Allow: {
    ru: 'Методы, которые этот адрес поддерживает.',
    kk: 'Осы мекенжай қолдайтын әдістер.',
    en: 'The methods that this address supports.',
  },
  'WWW-Authenticate': {
    ru: 'Способ авторизации: `Bearer`.',
    kk: 'Авторизация тәсілі: `Bearer`.',
    en: 'The way to authenticate: `Bearer`.',
  },
} as const satisfies Record<string, Localized>;

export type HeaderName = keyof typeof HEADER_TEXTS;

const SUCCESS: Localized = {
  ru: 'Всегда `true`: операция выполнена.',
  kk: 'Әрқашан `true`: операция орындалды.',
  en: 'Always `true`: the operation succeeded.',
};
const MESSAGE: Localized = {
  ru: 'Текст для человека, всегда на русском языке.',
  kk: 'Адамға арналған мәтін, әрқашан орыс тілінде.',
  en: 'A text for people, always in Russian.',
};
const PHONE: Localized = {
  ru: 'Телефон в любом привычном виде: +77011234567, 8 (701) 123-45-67, 77011234567.',
  kk: 'Кез келген үйреншікті түрдегі телефон: +77011234567, 8 (701) 123-45-67, 77011234567.',
  en: 'A phone in any usual form: +77011234567, 8 (701) 123-45-67, 77011234567.',
};
const URL_TEXT: Localized = {
  ru: `Адрес http или https, до ${URL_LENGTH_MAX} символов.`,
  kk: `http немесе https мекенжайы, ${URL_LENGTH_MAX} таңбаға дейін.`,
  en: `An http or https address of at most ${URL_LENGTH_MAX} characters.`,
};
const CHANNEL_CHOICE: Localized = {
  ru: 'Канал доставки. `auto` — каналы ключа по порядку: сначала мессенджеры, затем SMS.',
  kk: 'Жеткізу арнасы. `auto` — кілттің арналары ретімен: алдымен мессенджерлер, содан кейін SMS.',
  en: 'The delivery channel. `auto` tries the channels of the key in order: messengers first, then SMS.',
};
const MESSAGE_ID: Localized = {
  ru: 'Номер сообщения: по нему оно находится в кабинете и в вебхуках.',
  kk: 'Хабарлама нөмірі: кабинетте және вебхуктарда осы арқылы табылады.',
  en: 'The id of the message, for finding it in the dashboard and in webhooks.',
};
const SHORT_URL: Localized = {
  ru: 'Короткая ссылка.',
  kk: 'Қысқа сілтеме.',
  en: 'The short link.',
};
const LINK_EXPIRES_IN: Localized = {
  ru: 'Сколько секунд действует ссылка.',
  kk: 'Сілтеме неше секунд жұмыс істейді.',
  en: 'For how many seconds the link works.',
};
const COST: Localized = {
  ru: 'Сколько токенов списано. 1 токен = 1 ₸.',
  kk: 'Неше токен алынды. 1 токен = 1 ₸.',
  en: 'How many tokens were charged. 1 token = 1 ₸.',
};
const SENT = {
  success: SUCCESS,
  message: MESSAGE,
  channel: {
    ru: 'Канал, который принял сообщение.',
    kk: 'Хабарламаны қабылдаған арна.',
    en: 'The channel that accepted the message.',
  },
  message_id: MESSAGE_ID,
  cost: COST,
  balance: {
    ru: 'Баланс после списания, в токенах.',
    kk: 'Токендер алынғаннан кейінгі баланс.',
    en: 'The balance after the charge, in tokens.',
  },
} as const satisfies Record<string, Localized>;

type Schemas = {
  OtpSendRequest: OtpSendRequest;
  OtpSendAnswer: OtpSendAnswer;
  OtpVerifyRequest: OtpVerifyRequest;
  OtpVerifyAnswer: OtpVerifyAnswer;
  LinkShortenRequest: LinkShortenRequest;
  LinkShortenAnswer: LinkShortenAnswer;
  LinkSendRequest: LinkSendRequest;
  LinkSendAnswer: LinkSendAnswer;
  GroupSendRequest: GroupSendRequest;
  GroupSendAnswer: GroupSendAnswer;
  HealthAnswer: HealthAnswer;
  ErrorAnswer: ErrorAnswer;
  SandboxMessage: SandboxMessage;
  SandboxMessagesAnswer: SandboxMessagesAnswer;
  SandboxClearedAnswer: SandboxClearedAnswer;
};

/** Every field of every request and answer, by the name of its schema. */
export const FIELD_TEXTS = {
  OtpSendRequest: {
    phone: PHONE,
    purpose: {
      ru: `Для чего код: login, registration… До ${PURPOSE_LENGTH_MAX} символов. При проверке — тот же.`,
      kk: `Код не үшін: login, registration… ${PURPOSE_LENGTH_MAX} таңбаға дейін. Тексергенде де осы мән.`,
      en: `What the code is for: login, registration… Up to ${PURPOSE_LENGTH_MAX} characters; the same when verifying.`,
    },
    channel: CHANNEL_CHOICE,
    link: {
      ru: 'Ссылка, которая придёт сокращённой в том же сообщении.',
      kk: 'Сол хабарламада қысқартылып келетін сілтеме.',
      en: 'A link that comes, shortened, in the same message.',
    },
  },
  OtpSendAnswer: {
    ...SENT,
    expires_in: {
      ru: `Сколько секунд действует код; обычно ${CODE_TTL_SECONDS_DEFAULT}.`,
      kk: `Код неше секунд жарамды; әдетте ${CODE_TTL_SECONDS_DEFAULT}.`,
      en: `For how many seconds the code is valid; usually ${CODE_TTL_SECONDS_DEFAULT}.`,
    },
    short_url: {
      ru: 'Короткая ссылка, если в запросе была `link`.',
      kk: 'Сұрауда `link` болса, қысқа сілтеме.',
      en: 'The short link, if the request had a `link`.',
    },
  },
  OtpVerifyRequest: {
    phone: {
      ru: 'Телефон, на который отправлен код.',
      kk: 'Код жіберілген телефон.',
      en: 'The phone that the code was sent to.',
    },
    code: {
      ru: 'Код строкой, как его ввёл человек; пробелы и дефисы не важны.',
      kk: 'Адам енгізген код, жол түрінде; бос орындар мен дефистер маңызды емес.',
      en: 'The code as a string, as the person typed it; spaces and dashes do not matter.',
    },
    purpose: {
      ru: 'То же значение, что при отправке.',
      kk: 'Жібергендегі мән.',
      en: 'The same value as when sending.',
    },
  },
  OtpVerifyAnswer: { success: SUCCESS, message: MESSAGE },
  LinkShortenRequest: {
    url: URL_TEXT,
    alias: {
      ru: `Свой короткий адрес: ${ALIAS_LENGTH_MIN}–${ALIAS_LENGTH_MAX} латинских букв, цифр, «-» и «_». Регистр не важен.`,
      kk: `Өз қысқа мекенжайыңыз: ${ALIAS_LENGTH_MIN}–${ALIAS_LENGTH_MAX} латын әрпі, цифр, «-» және «_». Әріптің үлкен-кішілігі маңызды емес.`,
      en: `Your own short address: ${ALIAS_LENGTH_MIN}–${ALIAS_LENGTH_MAX} Latin letters, digits, "-" and "_". Case does not matter.`,
    },
    expires_in: {
      ru: 'Сколько секунд действует ссылка. Не указано — бессрочно.',
      kk: 'Сілтеме неше секунд жұмыс істейді. Көрсетілмесе — мерзімсіз.',
      en: 'For how many seconds the link works. Never expires if omitted.',
    },
  },
  LinkShortenAnswer: {
    success: SUCCESS,
    message: MESSAGE,
    short_url: SHORT_URL,
    expires_in: {
      ru: 'Сколько секунд действует ссылка, если срок был указан.',
      kk: 'Мерзімі көрсетілген болса, сілтеме неше секунд жұмыс істейді.',
      en: 'For how many seconds the link works, if the request said so.',
    },
  },
  LinkSendRequest: {
    phone: PHONE,
    url: URL_TEXT,
    channel: CHANNEL_CHOICE,
    text: {
      ru:
        `Текст сообщения, до ${LINK_TEXT_LENGTH_MAX} символов. Каждый \`:link\` заменяется короткой ссылкой; ` +
        'без него ссылка добавляется в конец.',
      kk:
        `Хабарлама мәтіні, ${LINK_TEXT_LENGTH_MAX} таңбаға дейін. Әр \`:link\` қысқа сілтемемен ауыстырылады; ` +
        'ол болмаса, сілтеме соңына қосылады.',
      en:
        `The text of the message, up to ${LINK_TEXT_LENGTH_MAX} characters. Each \`:link\` becomes the short ` +
        'link; without one, the link is appended.',
    },
  },
  LinkSendAnswer: { ...SENT, short_url: SHORT_URL, expires_in: LINK_EXPIRES_IN },
  GroupSendRequest: {
    group: {
      ru: 'Номер или название группы, привязанной в кабинете, или её id в самом мессенджере.',
      kk: 'Кабинетте байланыстырылған топтың нөмірі немесе атауы, немесе оның мессенджердегі id-і.',
      en: 'The id or name of a group linked in the dashboard, or its id in the messenger.',
    },
    text: {
      ru: `Текст, до ${GROUP_TEXT_LENGTH_MAX} символов. Каждый \`:link\` заменяется короткой ссылкой, если указана \`link\`.`,
      kk: `Мәтін, ${GROUP_TEXT_LENGTH_MAX} таңбаға дейін. \`link\` көрсетілсе, әр \`:link\` қысқа сілтемемен ауыстырылады.`,
      en: `The text, up to ${GROUP_TEXT_LENGTH_MAX} characters. Each \`:link\` becomes the short link, if there is a \`link\`.`,
    },
    channel: {
      ru: 'Мессенджер группы. `auto` — тот, в котором группа привязана.',
      kk: 'Топтың мессенджері. `auto` — топ байланыстырылған мессенджер.',
      en: 'The messenger of the group. `auto` is the one in which the group is linked.',
    },
    link: URL_TEXT,
  },
  GroupSendAnswer: {
    ...SENT,
    short_url: {
      ru: 'Короткая ссылка, если в запросе была `link`.',
      kk: 'Сұрауда `link` болса, қысқа сілтеме.',
      en: 'The short link, if the request had a `link`.',
    },
    expires_in: LINK_EXPIRES_IN,
  },
  HealthAnswer: {
    success: SUCCESS,
    message: MESSAGE,
    status: { ru: 'Всегда `ok`.', kk: 'Әрқашан `ok`.', en: 'Always `ok`.' },
    version: { ru: 'Версия сервиса.', kk: 'Сервис нұсқасы.', en: 'The version of the service.' },
    time: {
      ru: 'Время сервера, UTC.',
      kk: 'Сервер уақыты, UTC.',
      en: 'The time of the server, UTC.',
    },
  },
  ErrorAnswer: {
    success: {
      ru: 'Всегда `false`: операция не выполнена, токены не списаны.',
      kk: 'Әрқашан `false`: операция орындалмады, токендер алынған жоқ.',
      en: 'Always `false`: the operation failed, and nothing was charged.',
    },
    message: MESSAGE,
    error_code: {
      ru: 'Код ошибки. Список может расширяться: незнакомый код обрабатывайте по статусу HTTP.',
      kk: 'Қате коды. Тізім толығуы мүмкін: таныс емес кодты HTTP мәртебесі бойынша өңдеңіз.',
      en: 'The error code. The list may grow: treat an unknown code by its HTTP status.',
    },
    request_id: {
      ru: 'Номер запроса, тот же, что в заголовке X-Request-Id.',
      kk: 'Сұрау нөмірі, X-Request-Id тақырыбындағымен бірдей.',
      en: 'The request id, the same as in the X-Request-Id header.',
    },
    docs_url: {
      ru: 'Страница этой ошибки: что случилось и что делать.',
      kk: 'Осы қатенің беті: не болды және не істеу керек.',
      en: 'The page of this error: what happened and what to do.',
    },
    errors: {
      ru: 'Что исправить: имя поля и тексты ошибок.',
      kk: 'Нені түзету керек: өріс атауы және қате мәтіндері.',
      en: 'What to correct: the name of a field and the texts of its errors.',
    },
    retry_after: {
      ru: 'Через сколько секунд повторить.',
      kk: 'Неше секундтан кейін қайталау керек.',
      en: 'After how many seconds to try again.',
    },
    attempts_left: {
      ru: 'Сколько попыток ввода кода осталось.',
      kk: 'Кодты енгізудің неше әрекеті қалды.',
      en: 'How many attempts at the code are left.',
    },
    required: {
      ru: 'Сколько токенов нужно.',
      kk: 'Неше токен керек.',
      en: 'How many tokens are needed.',
    },
    balance: {
      ru: 'Сколько токенов доступно.',
      kk: 'Неше токен қолжетімді.',
      en: 'How many tokens are available.',
    },
    message_id: MESSAGE_ID,
  },
  SandboxMessage: {
    message_id: MESSAGE_ID,
    phone: {
      ru: 'Телефон получателя с плюсом; для группы — её id в мессенджере.',
      kk: 'Алушының телефоны, плюспен; топ үшін — оның мессенджердегі id-і.',
      en: 'The phone of the recipient with a plus; for a group, its id in the messenger.',
    },
    channel: {
      ru: 'Канал, по которому пришло сообщение.',
      kk: 'Хабарлама келген арна.',
      en: 'The channel that the message came by.',
    },
    kind: {
      ru: 'Вид сообщения: `otp`, `link` или `group`; могут появиться новые.',
      kk: 'Хабарлама түрі: `otp`, `link` немесе `group`; жаңалары қосылуы мүмкін.',
      en: 'The kind of message: `otp`, `link` or `group`; new ones may come.',
    },
    text: { ru: 'Текст сообщения.', kk: 'Хабарлама мәтіні.', en: 'The text of the message.' },
    code: {
      ru: 'Код из сообщения, если он есть.',
      kk: 'Хабарламадағы код, бар болса.',
      en: 'The code in the message, if any.',
    },
    link: {
      ru: 'Короткая ссылка из сообщения, если она есть.',
      kk: 'Хабарламадағы қысқа сілтеме, бар болса.',
      en: 'The short link in the message, if any.',
    },
    at: { ru: 'Когда пришло, UTC.', kk: 'Қашан келді, UTC.', en: 'When it arrived, UTC.' },
  },
  SandboxMessagesAnswer: {
    success: SUCCESS,
    messages: {
      ru: 'Сообщения, новые в конце.',
      kk: 'Хабарламалар, жаңалары соңында.',
      en: 'The messages, newest last.',
    },
  },
  SandboxClearedAnswer: { success: SUCCESS, message: MESSAGE },
} as const satisfies { [Name in keyof Schemas]: Record<keyof Schemas[Name], Localized> };

/** The envelope of every event. */
export const EVENT_ENVELOPE_TEXTS = {
  type: { ru: 'Вид события.', kk: 'Оқиға түрі.', en: 'The type of the event.' },
  timestamp: {
    ru: 'Когда событие произошло, UTC.',
    kk: 'Оқиға қашан болды, UTC.',
    en: 'When the event happened, UTC.',
  },
  data: { ru: 'Данные события.', kk: 'Оқиға деректері.', en: 'The data of the event.' },
} as const satisfies Record<string, Localized>;

export const EVENT_TEXTS = {
  'message.sent': {
    ru: 'Канал принял сообщение',
    kk: 'Арна хабарламаны қабылдады',
    en: 'A channel accepted the message',
  },
  'message.delivered': {
    ru: 'Сообщение доставлено',
    kk: 'Хабарлама жеткізілді',
    en: 'The message was delivered',
  },
  'message.read': {
    ru: 'Сообщение прочитано',
    kk: 'Хабарлама оқылды',
    en: 'The message was read',
  },
  'message.failed': {
    ru: 'Сообщение не доставлено',
    kk: 'Хабарлама жеткізілмеді',
    en: 'The message was not delivered',
  },
  'message.fallback': {
    ru: 'Сообщение отправлено по следующему каналу',
    kk: 'Хабарлама келесі арнамен жіберілді',
    en: 'The message was sent by the next channel',
  },
  'otp.verified': { ru: 'Код подтверждён', kk: 'Код расталды', en: 'A code was verified' },
  'link.clicked': {
    ru: 'Открыта короткая ссылка',
    kk: 'Қысқа сілтеме ашылды',
    en: 'A short link was opened',
  },
  'balance.low': {
    ru: 'Баланс ниже порога',
    kk: 'Баланс шектен төмен',
    en: 'The balance is low',
  },
  'broadcast.finished': {
    ru: 'Рассылка завершена',
    kk: 'Тарату аяқталды',
    en: 'A broadcast has finished',
  },
  'test.ping': { ru: 'Проверочное событие', kk: 'Тексеру оқиғасы', en: 'A test event' },
} as const satisfies Record<EventType, Localized>;

/** The fields of the events, which are called the same in all of them. */
export const EVENT_FIELD_TEXTS: Readonly<Record<string, Localized>> = {
  message_id: MESSAGE_ID,
  phone: {
    ru: 'Телефон получателя, средние цифры скрыты.',
    kk: 'Алушының телефоны, ортаңғы цифрлары жасырылған.',
    en: 'The phone of the recipient, with its middle digits hidden.',
  },
  channel: {
    ru: 'Канал сообщения.',
    kk: 'Хабарлама арнасы.',
    en: 'The channel of the message.',
  },
  state: {
    ru: 'Статус сообщения.',
    kk: 'Хабарлама мәртебесі.',
    en: 'The status of the message.',
  },
  cost: COST,
  kind: { ru: 'Вид сообщения.', kk: 'Хабарлама түрі.', en: 'The kind of message.' },
  group_id: {
    ru: 'Номер группы, если сообщение ушло в группу.',
    kk: 'Хабарлама топқа жіберілсе, топтың нөмірі.',
    en: 'The id of the group, for a message to a group.',
  },
  purpose: {
    ru: 'Значение `purpose`, с которым отправлен код.',
    kk: 'Код жіберілгендегі `purpose` мәні.',
    en: 'The `purpose` that the code was sent with.',
  },
  broadcast_id: { ru: 'Номер рассылки.', kk: 'Тарату нөмірі.', en: 'The id of the broadcast.' },
  test: {
    ru: '`true` — отправлено тестовым ключом, токены не списаны.',
    kk: '`true` — сынақ кілтімен жіберілді, токендер алынған жоқ.',
    en: '`true` when it was sent with a test key and nothing was charged.',
  },
  reason: {
    ru: 'Почему не доставлено, по словам канала.',
    kk: 'Неге жеткізілмегені, арнаның айтуынша.',
    en: 'Why it was not delivered, as the channel says it.',
  },
  from_channel: {
    ru: 'Канал, который не подтвердил доставку.',
    kk: 'Жеткізуді растамаған арна.',
    en: 'The channel that did not confirm the delivery.',
  },
  slug: {
    ru: 'Короткое имя ссылки.',
    kk: 'Сілтеменің қысқа аты.',
    en: 'The short name of the link.',
  },
  short_url: SHORT_URL,
  balance: {
    ru: 'Баланс, в токенах.',
    kk: 'Баланс, токенмен.',
    en: 'The balance, in tokens.',
  },
  threshold: {
    ru: 'Порог, ниже которого опустился баланс.',
    kk: 'Баланс түскен шек.',
    en: 'The threshold that the balance has fallen below.',
  },
  name: { ru: 'Название рассылки.', kk: 'Тарату атауы.', en: 'The name of the broadcast.' },
  recipients: { ru: 'Сколько получателей.', kk: 'Неше алушы.', en: 'How many recipients.' },
  text: { ru: 'Текст для проверки.', kk: 'Тексеру мәтіні.', en: 'A text for the check.' },
};

/** The text of a field in one language; undefined for a field that the tables do not know. */
export function fieldText(schema: string, field: string, lang: Lang): string | undefined {
  const texts: Readonly<Record<string, Readonly<Record<string, Localized>>>> = FIELD_TEXTS;
  return (texts[schema]?.[field] ?? EVENT_FIELD_TEXTS[field])?.[lang];
}
