import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The catalogue of the API's errors. */
export const errorPages = {
  listTitle: 'API қателері',
  listLead:
    'Қатесі бар әр жауапта error_code болады. Кодтар өзгермейді және атауы ауыспайды. Қатесі бар жауап үшін токендер ешқашан алынбайды.',
  columns: { code: 'Код', status: 'HTTP', meaning: 'Не болды', retry: 'Қайталау?' },
  back: 'Барлық қателер',
  whatHappened: 'Не болды',
  apiMessage: 'Жауаптағы message өрісі',
  whatToDo: 'Не істеу керек',
  retryQuestion: 'Сұрауды қайталау керек пе?',
  retryYes: 'иә',
  retryNo: 'жоқ',
  retryYesLong: 'Иә: сол сұрау кейінірек өтуі мүмкін. retry_after болса — сонша секундтан кейін.',
  retryNoLong: 'Жоқ: сол сұрауға сол жауап қайтады. Алдымен себебін түзетіңіз.',
  chargedQuestion: 'Токендер алынды ма?',
  chargedNever: 'Жоқ. success: false жауабы токендерді ешқашан алмайды.',
  example: 'Жауап үлгісі',
  related: 'Ұқсас кодтар',
  unknownTitle: 'Мұндай қате коды жоқ',
  unknownText: 'Кодтың толық көшірілгенін тексеріңіз немесе оны тізімнен табыңыз.',
  codes: {
    missing_api_key: {
      meaning: 'Сұрауда API кілті көрсетілмеген.',
      advice: '«Authorization: Bearer КІЛТ» тақырыбын қосыңыз. Кілт компания кабинетінде жасалады.',
    },
    invalid_api_key: {
      meaning: 'API кілті қате.',
      advice:
        'Кілт толық көшірілгенін тексеріңіз: zk_live_ немесе zk_test_ және одан кейін 38 таңба.',
    },
    key_revoked: {
      meaning: 'API кілті қайтарып алынған.',
      advice: 'Кабинетте жаңа кілт жасап, оны серверде ауыстырыңыз.',
    },
    insufficient_tokens: {
      meaning: 'Токендер жеткіліксіз.',
      advice: 'Балансты толтырыңыз. required өрісінде — қанша керек, balance өрісінде — қанша бар.',
    },
    origin_required: {
      meaning: 'Кілт доменге байланған, ал сұрауда Origin тақырыбы жоқ.',
      advice:
        'Мұндай кілтті қолданатын сервер «Origin: https://сіздің-домен» тақырыбын өзі қосады.',
    },
    origin_not_allowed: {
      meaning: 'Бұл кілт үшін осы доменнен сұрау жіберуге рұқсат жоқ.',
      advice: 'Сұрауларды кілт байланған доменнен немесе оның қосалқы доменінен жіберіңіз.',
    },
    host_not_allowed: {
      meaning: 'Құмсалғыш тек өз машинасының мекенжайына жауап береді.',
      advice:
        'localhost мекенжайына сұрау жіберіңіз. Басқа атпен де қолжетімді болуы үшін оператор SANDBOX=public деп белгілейді.',
    },
    blocked_by_fraud_guard: {
      meaning: 'Бұл нөмірге жіберуді алаяқтықтан қорғау тоқтатты.',
      advice: 'Ақылы, спутниктік және қызметтік нөмірлерге жіберілмейді. Токендер алынған жоқ.',
    },
    not_found: {
      meaning: 'Мұндай мекенжай жоқ.',
      advice: 'Сұрау жолын тексеріңіз: мекенжайлар API сипаттамасында тізілген.',
    },
    method_not_allowed: {
      meaning: 'Бұл әдіс мұнда қолданылмайды.',
      advice: 'Рұқсат етілген әдістер Allow тақырыбында тізілген.',
    },
    request_in_progress: {
      meaning: 'Осы Idempotency-Key бар сұрау әлі орындалып жатыр.',
      advice: 'Бір секундтан кейін сол кілтпен қайталаңыз: бірінші сұраудың жауабы қайтады.',
    },
    payload_too_large: {
      meaning: 'Сұрау тым үлкен.',
      advice: 'Сұрау денесі 16 КиБ-тан аспауы керек.',
    },
    unsupported_media_type: {
      meaning: 'Сұрау денесі JSON пішімінде болуы керек.',
      advice: '«Content-Type: application/json» тақырыбын қосыңыз және денені сықпаңыз.',
    },
    validation_error: {
      meaning: 'Сұраудың кейбір өрістері қате.',
      advice: 'errors өрісінде нені түзету керегі тізілген.',
    },
    invalid_json: {
      meaning: 'Сұрау денесі JSON нысаны емес.',
      advice: 'UTF-8 кодтауындағы JSON нысанын жіберіңіз.',
    },
    invalid_phone: {
      meaning: 'Телефон нөмірі қате.',
      advice: 'Нөмірді ел кодымен көрсетіңіз, мысалы +77011234567.',
    },
    country_not_supported: {
      meaning: 'Бұл елге SMS жіберілмейді.',
      advice: 'Мессенджерді немесе auto таңдаңыз.',
    },
    invalid_url: {
      meaning: 'Сілтеме қате.',
      advice:
        'Ішінде логин мен құпиясөз жоқ, 2048 таңбаға дейінгі http немесе https мекенжайы керек.',
    },
    alias_taken: {
      meaning: 'Бұл қысқа атау бос емес.',
      advice: 'Басқа атау таңдаңыз немесе alias көрсетпеңіз: атауды біз ойлап табамыз.',
    },
    channel_disabled: {
      meaning: 'Бұл кілт үшін арна өшірілген.',
      advice: 'Кілт баптауларында арнаны қосыңыз немесе басқасын таңдаңыз.',
    },
    channel_unsuitable: {
      meaning: 'Бұл арна мұндай хабарламаны жеткізе алмайды.',
      advice: 'Басқа арнаны немесе auto таңдаңыз.',
    },
    no_channel_available: {
      meaning: 'Қолайлы арна жоқ.',
      advice: 'Кілт үшін бұл хабарламаны осы нөмірге жеткізе алатын арнаны қосыңыз.',
    },
    text_too_long: {
      meaning: 'Мәтін тым ұзын.',
      advice: 'SMS екі бөліктен аспайды: сілтемені қосқанда кириллицамен 134 таңба.',
    },
    group_not_found: {
      meaning: 'Топ табылмады.',
      advice: 'Алдымен топты компанияға байлаңыз, содан кейін оның id-ін немесе атауын көрсетіңіз.',
    },
    invalid_code: {
      meaning: 'Код қате.',
      advice: 'attempts_left өрісінде — қанша әрекет қалғаны.',
    },
    code_expired: {
      meaning: 'Кодтың мерзімі өтіп кетті.',
      advice: 'Жаңа код жіберіңіз.',
    },
    code_already_used: {
      meaning: 'Код бұрын қолданылған.',
      advice: 'Код бір рет қана жарамды. Жаңасын жіберіңіз.',
    },
    code_not_found: {
      meaning: 'Бұл нөмірге код жіберілмеген.',
      advice: 'Телефон, purpose және кілт жібергендегімен бірдей болуы керек.',
    },
    idempotency_key_reused: {
      meaning: 'Бұл Idempotency-Key басқа сұрау денесімен қолданылған.',
      advice: 'Әр жаңа сұрау үшін жаңа кілт жасаңыз.',
    },
    send_rate_limited: {
      meaning: 'Бұл нөмірге код соңғы минутта жіберілген.',
      advice: 'retry_after секундтан кейін қайталаңыз.',
    },
    daily_limit_reached: {
      meaning: 'Бұл алушыға жіберу шегіне жетті.',
      advice: 'retry_after секундтан кейін қайталаңыз.',
    },
    too_many_attempts: {
      meaning: 'Қате код тым көп рет енгізілді.',
      advice: 'Жаңа код жіберіңіз; retry_after болса — сонша секундтан кейін.',
    },
    api_rate_limited: {
      meaning: 'Осы кілтпен тым көп сұрау жіберілді.',
      advice: 'retry_after секундтан кейін қайталаңыз.',
    },
    internal_error: {
      meaning: 'Біздің жақта ішкі қате болды.',
      advice: 'Бізге request_id мәнін хабарлаңыз.',
    },
    delivery_failed: {
      meaning: 'Хабарламаны бірде-бір арна қабылдамады.',
      advice: 'Токендер алынған жоқ. Нөмір мен арнаны тексеріңіз, қайта жіберуге болады.',
    },
    service_unavailable: {
      meaning: 'Сервис уақытша қолжетімсіз.',
      advice: 'retry_after секундтан кейін сол Idempotency-Key кілтімен қайталаңыз.',
    },
    delivery_unconfirmed: {
      meaning: 'Арна хабарламаны қабылдағанын растамады.',
      advice:
        'Токендер алынған жоқ. Хабарлама жетуі мүмкін: код жарамды. Жаңасын бір минуттан кейін жіберуге болады.',
    },
  },
} satisfies PublicTexts['errorPages'];
