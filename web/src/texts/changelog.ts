import type { Change } from '@zhiber/contract/pages/changelog.ts';

/**
 * What customers notice, newest first, in all languages. Earlier months carry their first day. An
 * entry that was published keeps its id and its date.
 */
export const CHANGES: readonly Change[] = [
  {
    id: 'first-steps',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'У новой компании сразу есть тестовый ключ, а кабинет начинается с первого кода: отправить и проверить его можно там же или из терминала.',
      kk: 'Жаңа компанияда сынақ кілті бірден бар, ал кабинет алғашқы кодтан басталады: оны сол жерде немесе терминалдан жіберіп, тексеруге болады.',
      en: 'A new company has a test key from the start, and the dashboard begins with the first code: send and verify it there or from a terminal.',
    },
  },
  {
    id: 'support',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Роль «Поддержка»: сообщения, ссылки и итоги рассылок без ключей и денег. Сообщение находится по последним цифрам телефона, а его путь можно скопировать для клиента обычными словами.',
      kk: '«Қолдау қызметі» рөлі: кілттер мен ақшасыз хабарламалар, сілтемелер және тарату нәтижелері. Хабарлама телефонның соңғы цифрлары бойынша табылады, ал оның жолын клиентке қарапайым сөзбен көшіруге болады.',
      en: 'The role Support: messages, links and broadcast results, without keys and money. A message is found by the last digits of a phone, and its story can be copied for the client in plain words.',
    },
  },
  {
    id: 'request-bodies',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'В «Запросах» видны тела запроса и ответа без кодов и ключей. Запрос можно повторить в «Проверке отправки» или скопировать на шести языках программирования. Работает поиск по телефону, последним цифрам, ключу и коду ошибки. Неверные коды, которые ввели пользователи, считаются отдельно от ошибок.',
      kk: '«Сұраулар» бетінде сұрау мен жауаптың кодсыз және кілтсіз денесі көрінеді. Сұрауды «Жіберуді тексеру» бетінде қайталауға немесе алты бағдарламалау тілінде көшіруге болады. Телефон, соңғы цифрлар, кілт және қате коды бойынша іздеуге болады. Пайдаланушылар қате терген кодтар қателерден бөлек саналады.',
      en: 'Requests now show the bodies of the request and the response, without codes and keys. A request can be repeated in the Playground or copied in six programming languages, and is found by phone, last digits, key and error code. Codes that people typed wrong are counted apart from errors.',
    },
  },
  {
    id: 'key-limits',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'У ключа можно задать срок действия и лимит расходов на день. За 7 дней до конца срока кабинет предупреждает; после него запросы получают 401 `key_revoked`.',
      kk: 'Кілтке жарамдылық мерзімін және күндік шығын шегін қоюға болады. Мерзім бітуіне 7 күн қалғанда кабинет ескертеді; одан кейін сұраулар 401 `key_revoked` алады.',
      en: 'A key can have an expiry and a daily spending cap. The dashboard warns 7 days before the end; after it requests get 401 `key_revoked`.',
    },
  },
  {
    id: 'link-statistics',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Ссылки: адрес назначения, срок и метки можно изменить. Сканирования QR-кода считаются отдельно от переходов, видны устройства, страны, города (если сервис их определяет) и источники, страница ссылки обновляется сама.',
      kk: 'Сілтемелер: апаратын мекенжайды, мерзімді және белгілерді өзгертуге болады. QR кодын сканерлеу өтулерден бөлек саналады, құрылғылар, елдер, қалалар (сервис оларды анықтаса) және дереккөздер көрінеді, сілтеме беті өзі жаңарады.',
      en: 'Links: the destination, expiry and tags can be edited. QR scans are counted apart from clicks, devices, countries, cities (if the service determines them) and sources are shown, and the page of a link updates automatically.',
    },
  },
  {
    id: 'palette-and-connection',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Поиск и команды по Ctrl K или ⌘K: разделы, ключи, ссылки, сообщения по номеру телефона и частые действия. При потере связи кабинет остаётся открытым, сохраняет введённое и продолжает работу, когда связь вернётся.',
      kk: 'Ctrl K немесе ⌘K арқылы іздеу және әрекеттер: бөлімдер, кілттер, сілтемелер, телефон нөмірі бойынша хабарламалар және жиі әрекеттер. Байланыс үзілсе, кабинет ашық қалады, енгізілгенді сақтайды және байланыс қалпына келгенде жұмысын жалғастырады.',
      en: 'Search and commands with Ctrl K or ⌘K: sections, keys, links, messages by phone number and frequent actions. When the connection is lost, the dashboard stays open, keeps what was typed and goes on when the connection is back.',
    },
  },
  {
    id: 'documentation',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Документация по адресу `/docs`: быстрый старт, каналы, ошибки, лимиты и справочник API на русском, казахском и английском, с примерами на шести языках программирования.',
      kk: '`/docs` мекенжайындағы құжаттама: жылдам бастау, арналар, қателер, шектеулер және API анықтамалығы қазақ, орыс және ағылшын тілдерінде, алты бағдарламалау тіліндегі мысалдармен.',
      en: 'Documentation at `/docs`: quick start, channels, errors, limits and an API reference in Russian, Kazakh and English, with examples in six programming languages.',
    },
  },
  {
    id: 'webhooks',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'Вебхуки подписываются по спецификации Standard Webhooks, повторяются до восьми раз и ведут журнал попыток. Формат ещё может измениться: для входа и регистрации опирайтесь на ответы API.',
      kk: 'Вебхуктарға Standard Webhooks спецификациясы бойынша қол қойылады, олар сегіз ретке дейін қайталанады және әрекеттер журналын жүргізеді. Пішімі әлі өзгеруі мүмкін: кіру мен тіркелуде API жауаптарына сүйеніңіз.',
      en: 'Webhooks are signed by the Standard Webhooks specification, tried up to eight times, and keep a log of attempts. The format may still change: rely on the answers of the API for signing in and up.',
    },
  },
  {
    id: 'status-page',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Страница статуса сервиса `/status`: работа API и каналов, инциденты и плановые работы.',
      kk: 'Сервис мәртебесінің беті `/status`: API мен арналардың жұмысы, инциденттер және жоспарлы жұмыстар.',
      en: 'The status page `/status`: the state of the API and channels, incidents and maintenance.',
    },
  },
  {
    id: 'clients',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Клиенты для Node, Python и PHP: повторы с ожиданием, коды ошибок и проверка подписи вебхуков.',
      kk: 'Node, Python және PHP клиенттері: күтіп қайталау, қате кодтары және вебхук қолтаңбасын тексеру.',
      en: 'Clients for Node, Python and PHP: retries that wait, error codes, and verification of webhook signatures.',
    },
  },
  {
    id: 'public-pages',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Страница цен с калькулятором и эта страница изменений с лентами Atom и JSON Feed.',
      kk: 'Калькуляторы бар бағалар беті және Atom мен JSON Feed таспалары бар осы өзгерістер беті.',
      en: 'A pricing page with a calculator, and this change log with Atom and JSON feeds.',
    },
  },
  {
    id: 'cabinet-broadcasts',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Рассылки в кабинете: получатели из CSV, XLSX или текста с причиной по каждой строке, стоимость до отправки, тихие часы, пауза и продолжение без повторов.',
      kk: 'Кабинеттегі таратулар: CSV, XLSX немесе мәтіннен алынған алушылар, әр жолдың себебі, жіберуге дейінгі құны, тыныш сағаттар, қайталаусыз кідірту және жалғастыру.',
      en: 'Broadcasts in the dashboard: recipients from CSV, XLSX or pasted text with a reason for every row, the cost before sending, quiet hours, and pause and resume without repeats.',
    },
  },
  {
    id: 'balance-and-papers',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Баланс по дням, каналам и ключам, пополнение по QR, выписка в CSV и XLSX, квитанции, счета и акты за месяц.',
      kk: 'Күн, арна және кілт бойынша баланс, QR арқылы толтыру, CSV және XLSX үзінді көшірмесі, түбіртектер, шоттар және айлық актілер.',
      en: 'The balance by day, channel and key, top-ups by QR, statements in CSV and XLSX, receipts, invoices and acceptance certificates.',
    },
  },
  {
    id: 'spend-cap',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Месячный лимит расходов для ключа: после него ответ 429 `spend_cap_reached`. Предупреждение о низком балансе по почте и в Telegram.',
      kk: 'Кілтке айлық шығын шегі: одан кейін жауап 429 `spend_cap_reached`. Баланс азайғанда поштаға және Telegram-ға хабарландыру келеді.',
      en: 'A monthly spending cap for a key: beyond it the response is 429 `spend_cap_reached`. Alerts about a low balance by e-mail and Telegram.',
    },
  },
  {
    id: 'passkeys',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Вход в кабинет ключом доступа (passkey). Руководитель может потребовать второй фактор от всей компании.',
      kk: 'Кабинетке кіру кілтімен (passkey) кіру. Басшы бүкіл компаниядан екінші факторды талап ете алады.',
      en: 'Passkeys for signing in to the dashboard. An owner can require a second factor for the whole company.',
    },
  },
  {
    id: 'fallback-charge',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'Отправка, которая ушла следующим каналом, оплачивается по цене канала, который её доставил. Пока это неизвестно, действует списание из ответа.',
      kk: 'Келесі арнамен кеткен жіберу оны жеткізген арнаның бағасымен төленеді. Ол белгілі болғанша жауаптағы төлем күшінде.',
      en: 'A send that falls back is charged for the channel that delivers it. Until that is known, the charge from the response applies.',
    },
  },
  {
    id: 'wrong-guesses',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'После десяти неверных попыток за час `/otp/send` тоже отвечает 429 `too_many_attempts` и ничего не списывает; в ответе есть `retry_after`.',
      kk: 'Бір сағаттағы он қате әрекеттен кейін `/otp/send` та 429 `too_many_attempts` қайтарады және ақы алмайды; жауапта `retry_after` бар.',
      en: 'After ten wrong attempts in an hour, `/otp/send` also returns 429 `too_many_attempts` and charges nothing; the response has `retry_after`.',
    },
  },
  {
    id: 'code-form',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'Код не той длины или с буквами получает 422 `invalid_code` и не считается попыткой.',
      kk: 'Ұзындығы басқа немесе әрпі бар код 422 `invalid_code` алады және әрекет болып саналмайды.',
      en: 'A code of another length or with letters gets 422 `invalid_code` and does not count as an attempt.',
    },
  },
  {
    id: 'ambiguous-phones',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'Номер без плюса, который может принадлежать и другой стране, получает 422 `invalid_phone`: пишите плюс и код страны.',
      kk: 'Басқа елдікі де болуы мүмкін плюссіз нөмір 422 `invalid_phone` алады: плюс пен ел кодын жазыңыз.',
      en: 'A number without a plus that could also belong to another country gets 422 `invalid_phone`: write the plus and the country code.',
    },
  },
  {
    id: 'new-error-codes',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Коды ошибок 422 `channel_not_connected` (для канала нет провайдера) и 403 `company_suspended` (работа компании приостановлена).',
      kk: 'Қате кодтары: 422 `channel_not_connected` (арнада провайдер жоқ) және 403 `company_suspended` (компания жұмысы тоқтатылған).',
      en: 'Error codes 422 `channel_not_connected` (the channel has no provider) and 403 `company_suspended`.',
    },
  },
  {
    id: 'test-keys-apart',
    date: '2026-11-18',
    tag: 'changed',
    text: {
      ru: 'Отправки тестовыми и боевыми ключами считаются отдельно: тесты не расходуют лимиты.',
      kk: 'Сынақ және нақты кілттермен жіберулер бөлек саналады: сынақтар шектеулерді жұмсамайды.',
      en: 'Sends with test and live keys are counted separately: tests do not use up limits.',
    },
  },
  {
    id: 'cabinet',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Новый кабинет: вход по коду на телефон или по почте, роли и приглашения, история каждого сообщения по шагам, запросы к API, ссылки, группы, ключи и журнал действий.',
      kk: 'Жаңа кабинет: телефонға келген кодпен немесе поштамен кіру, рөлдер мен шақырулар, әр хабарламаның қадамдық тарихы, API сұраулары, сілтемелер, топтар, кілттер және әрекеттер журналы.',
      en: 'A new dashboard: sign-in by a code to the phone or by e-mail, roles and invitations, the history of every message, API requests, links, groups, keys and an audit log.',
    },
  },
  {
    id: 'idempotency',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Заголовок `Idempotency-Key` во всех POST-запросах, `X-Request-Id` в каждом ответе, `Retry-After` в каждом 429 и 503.',
      kk: 'Барлық POST сұрауларында `Idempotency-Key` тақырыбы, әр жауапта `X-Request-Id`, әр 429 және 503 жауабында `Retry-After`.',
      en: 'The header `Idempotency-Key` on every POST, `X-Request-Id` on every response, `Retry-After` on every 429 and 503.',
    },
  },
  {
    id: 'sandbox',
    date: '2026-11-18',
    tag: 'added',
    text: {
      ru: 'Тестовые ключи `zk_test_…`, виртуальный телефон, номера для любого исхода и входящие для автотестов.',
      kk: '`zk_test_…` сынақ кілттері, виртуалды телефон, кез келген нәтижеге арналған нөмірлер және автотесттерге арналған кіріс жәшігі.',
      en: 'Test keys `zk_test_…`, a virtual phone, numbers for every outcome, and an inbox for automated tests.',
    },
  },
  {
    id: 'channels-per-key',
    date: '2026-10-01',
    tag: 'added',
    text: {
      ru: 'Каналы и их порядок настраиваются для каждого API-ключа. Выключенный канал этим ключом не используется.',
      kk: 'Арналар мен олардың реті әр API кілтіне бөлек бапталады. Өшірілген арна бұл кілтпен қолданылмайды.',
      en: 'Channels and their order are set per API key. A channel that is switched off is never used by that key.',
    },
  },
  {
    id: 'domain-binding',
    date: '2026-09-01',
    tag: 'added',
    text: {
      ru: 'API-ключ можно привязать к домену сайта: запросы с таким ключом проверяются по источнику.',
      kk: 'API кілтін сайт доменіне байлауға болады: ондай кілтпен келген сұраулар дереккөзі бойынша тексеріледі.',
      en: 'An API key can be bound to the domain of a site: requests with such a key are checked by their origin.',
    },
  },
  {
    id: 'error-codes',
    date: '2026-08-01',
    tag: 'added',
    text: {
      ru: 'Описаны поле `error_code` и коды ответов.',
      kk: '`error_code` өрісі мен жауап кодтары сипатталды.',
      en: 'The field `error_code` and the response codes are documented.',
    },
  },
  {
    id: 'auto-everywhere',
    date: '2026-08-01',
    tag: 'changed',
    text: {
      ru: 'Канал `auto` принимают все методы отправки.',
      kk: '`auto` арнасын барлық жіберу әдістері қабылдайды.',
      en: 'The channel `auto` is accepted on every send endpoint.',
    },
  },
  {
    id: 'russian-messages',
    date: '2026-08-01',
    tag: 'changed',
    text: {
      ru: 'Тексты API в поле `message` всегда на русском языке.',
      kk: 'API-дің `message` өрісіндегі мәтіндері әрқашан орыс тілінде.',
      en: 'The texts of the API in the field `message` are always in Russian.',
    },
  },
  {
    id: 'short-links',
    date: '2026-07-01',
    tag: 'added',
    text: {
      ru: 'Короткие ссылки: `/links/shorten` и `/links/send`.',
      kk: 'Қысқа сілтемелер: `/links/shorten` және `/links/send`.',
      en: 'Short links: `/links/shorten` and `/links/send`.',
    },
  },
  {
    id: 'second-messenger',
    date: '2026-07-01',
    tag: 'added',
    text: {
      ru: 'Второй мессенджер и режим `auto`: сначала мессенджеры, SMS — запасной канал.',
      kk: 'Екінші мессенджер және `auto` режимі: алдымен мессенджерлер, SMS — қосалқы арна.',
      en: 'The second messenger and the mode `auto`: messengers first, SMS as the fallback.',
    },
  },
  {
    id: 'broadcasts',
    date: '2026-07-01',
    tag: 'added',
    text: { ru: 'Рассылки.', kk: 'Таратулар.', en: 'Broadcasts.' },
  },
  {
    id: 'delivery-webhooks',
    date: '2026-07-01',
    tag: 'added',
    text: {
      ru: 'Вебхуки о событиях доставки.',
      kk: 'Жеткізу оқиғалары туралы вебхуктар.',
      en: 'Webhooks for delivery events.',
    },
  },
  {
    id: 'health',
    date: '2026-07-01',
    tag: 'added',
    text: {
      ru: 'Проверка работы сервиса `/health`.',
      kk: 'Сервис жұмысын тексеру: `/health`.',
      en: 'The health check `/health`.',
    },
  },
];
