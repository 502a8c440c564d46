import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { smsWayText } from '@zhiber/contract/message/sms-route-text.ts';
import { almatyTime } from '../almaty.ts';
import type { CompanyId } from '../ids.ts';
import type { Arrival, AttemptFacts, Conclusion } from './conclude.ts';
import type { FoundStory, StoryEvent } from './find-story.ts';

type Words = {
  nothingSent: string;
  refused(facts: { time: string; company: string; why: string; free: string | null }): string;
  masked: string;
  attempts: Record<AttemptFacts['result'], (channel: string, time: string) => string>;
  message(facts: { time: string; company: string; attempts: string }): string;
  noChannel: string;
  next(channels: string): string;
  arrived: Record<
    Arrival['how'],
    (facts: { channel: string; time: string; company: string }) => string
  >;
  later(what: string): string;
  wrongCodes(count: number): string;
  lateCodes(count: number): string;
  errors: Partial<Record<ErrorCode, string>>;
  otherError(code: string): string;
  steps: Record<StoryEvent['kind'], (channel: string) => string>;
  late: string;
  test: string;
};

const RU: Words = {
  nothingSent:
    'За это время никто ничего не отправлял на этот номер, и отклонённых запросов нет: до Zhiber запрос не дошёл',
  refused: ({ time, company, why, free }) =>
    `${company}: запрос в ${time} отклонён — ${why}${free === null ? '' : `, снова можно с ${free}`}`,
  masked: 'в журнале номер скрыт, совпадают видимые цифры',
  attempts: {
    accepted: (channel, time) => `${channel} принял в ${time}, подтверждения доставки нет`,
    failed: (channel, time) => `${channel} принял, но не доставил (${time})`,
    refused: (channel, time) => `${channel} отказал в ${time}`,
    unavailable: (channel, time) => `${channel} был недоступен в ${time}`,
    unknown: (channel, time) => `${channel} не дал ясного ответа в ${time}`,
    sending: (channel, time) => `${channel} ещё отправляет с ${time}`,
  },
  message: ({ time, company, attempts }) => `${company}: отправка в ${time}: ${attempts}`,
  noChannel: 'обработка прервана до обращения к каналу',
  next: (channels) => `следующий канал: ${channels}`,
  arrived: {
    delivered: ({ channel, time, company }) => `${company}: доставлено через ${channel} в ${time}`,
    read: ({ channel, time, company }) =>
      `${company}: доставлено и прочитано в ${channel}, ${time}`,
    verified: ({ time, company }) => `${company}: код дошёл и введён верно в ${time}`,
  },
  later: (what) => `позже — ${what}`,
  wrongCodes: (count) => `неверный код вводили раз: ${count}`,
  lateCodes: (count) => `код вводили после истечения срока, раз: ${count}`,
  errors: {
    send_rate_limited: 'ограничение на номер: не больше одного кода в минуту',
    daily_limit_reached: 'ограничение на номер: за час или за сутки отправлено слишком много',
  },
  otherError: (code) => code,
  steps: {
    accepted: () => 'Запрос принят',
    attempt: (channel) => `Отправляем через ${channel}`,
    sent: (channel) => `${channel} принял`,
    refused: (channel) => `${channel} отказал`,
    unavailable: (channel) => `${channel} недоступен`,
    unknown: (channel) => `${channel}: исход неизвестен`,
    delivered: (channel) => `Доставлено через ${channel}`,
    read: () => 'Прочитано',
    failed: (channel) => `${channel} не доставил`,
    unconfirmed: (channel) => `${channel} не подтвердил доставку`,
    fallback: (channel) => `Следующий канал: ${channel}`,
    verified: () => 'Код введён верно',
    clicked: () => 'Ссылку открыли',
    send_refused: () => 'Отправка отклонена',
    code_verified: () => 'Код введён верно',
    code_wrong: () => 'Введён неверный код',
    code_locked: () => 'Ввод кода заблокирован: слишком много неверных попыток',
    code_expired: () => 'Код введён после истечения срока',
    code_used: () => 'Введён уже использованный код',
    code_missing: () => 'Введён код, который не отправляли',
    call_refused: () => 'Запрос отклонён',
    call_done: () => 'Запрос выполнен',
    sms_blocked: () => 'Защита от накрутки заблокировала SMS на такие номера',
  },
  late: 'с опозданием',
  test: 'тестовый ключ',
};

const KK: Words = {
  nothingSent:
    'Бұл уақытта бұл нөмірге ешкім ештеңе жібермеген, қабылданбаған сұраулар да жоқ: сұрау Zhiber-ге жетпеген',
  refused: ({ time, company, why, free }) =>
    `${company}: сағат ${time} сұрауы қабылданбады — ${why}${free === null ? '' : `, ${free} бастап қайта жіберуге болады`}`,
  masked: 'журналда нөмір жасырылған, көрінетін цифрлары сәйкес келеді',
  attempts: {
    accepted: (channel, time) => `${channel} ${time} қабылдады, жеткізілгені расталмады`,
    failed: (channel, time) => `${channel} қабылдады, бірақ жеткізбеді (${time})`,
    refused: (channel, time) => `${channel} ${time} бас тартты`,
    unavailable: (channel, time) => `${channel} ${time} қолжетімсіз болды`,
    unknown: (channel, time) => `${channel} ${time} анық жауап бермеді`,
    sending: (channel, time) => `${channel} ${time} бастап әлі жіберуде`,
  },
  message: ({ time, company, attempts }) => `${company}: ${time} жіберу: ${attempts}`,
  noChannel: 'өңдеу арнаға жіберілгенге дейін үзілді',
  next: (channels) => `келесі арна: ${channels}`,
  arrived: {
    delivered: ({ channel, time, company }) => `${company}: ${channel} арқылы ${time} жеткізілді`,
    read: ({ channel, time, company }) =>
      `${company}: ${channel} арқылы жеткізілді және оқылды, ${time}`,
    verified: ({ time, company }) => `${company}: код жетті және ${time} дұрыс енгізілді`,
  },
  later: (what) => `кейінірек — ${what}`,
  wrongCodes: (count) => `қате код енгізілген рет: ${count}`,
  lateCodes: (count) => `мерзімі өткен код енгізілген рет: ${count}`,
  errors: {
    send_rate_limited: 'нөмірге шектеу: минутына бір кодтан артық емес',
    daily_limit_reached: 'нөмірге шектеу: бір сағатта немесе тәулікте тым көп жіберілген',
    too_many_attempts: 'қате код тым көп енгізілген',
    insufficient_tokens: 'баланста токен жетпейді',
    blocked_by_fraud_guard: 'алаяқтықтан қорғаныс бұл нөмірге жіберуді тоқтатты',
    company_suspended: 'компанияның жұмысы тоқтатылған',
    invalid_phone: 'нөмір қате',
    country_not_supported: 'бұл елге SMS жіберілмейді',
    channel_disabled: 'кілтте бұл арна өшірілген',
    channel_not_connected: 'бұл арна қосылмаған',
    no_channel_available: 'қолайлы арна жоқ',
    delivery_failed: 'бірде-бір арна хабарламаны қабылдамады',
    delivery_unconfirmed: 'арна хабарламаны қабылдағанын растамады',
    service_unavailable: 'сервис уақытша қолжетімсіз',
    api_rate_limited: 'бұл кілтпен сұрау тым көп',
    internal_error: 'ішкі қате',
  },
  otherError: (code) => `қате ${code}`,
  steps: {
    accepted: () => 'Сұрау қабылданды',
    attempt: (channel) => `${channel} арқылы жіберудеміз`,
    sent: (channel) => `${channel} қабылдады`,
    refused: (channel) => `${channel} бас тартты`,
    unavailable: (channel) => `${channel} қолжетімсіз`,
    unknown: (channel) => `${channel}: нәтижесі белгісіз`,
    delivered: (channel) => `${channel} арқылы жеткізілді`,
    read: () => 'Оқылды',
    failed: (channel) => `${channel} жеткізбеді`,
    unconfirmed: (channel) => `${channel} жеткізуді растамады`,
    fallback: (channel) => `Келесі арна: ${channel}`,
    verified: () => 'Код дұрыс енгізілді',
    clicked: () => 'Сілтеме ашылды',
    send_refused: () => 'Жіберу қабылданбады',
    code_verified: () => 'Код дұрыс енгізілді',
    code_wrong: () => 'Қате код енгізілді',
    code_locked: () => 'Код енгізу бұғатталды: қате әрекет тым көп',
    code_expired: () => 'Код мерзімі өткен соң енгізілді',
    code_used: () => 'Бұрын қолданылған код енгізілді',
    code_missing: () => 'Жіберілмеген код енгізілді',
    call_refused: () => 'Сұрау қабылданбады',
    call_done: () => 'Сұрау орындалды',
    sms_blocked: () => 'Жасанды көбейтуден қорғаныс мұндай нөмірлерге SMS-ті бұғаттады',
  },
  late: 'кешігіп',
  test: 'сынақ кілті',
};

const EN: Words = {
  nothingSent:
    'Nobody sent anything to this number in this time, and no request was refused: no request reached Zhiber',
  refused: ({ time, company, why, free }) =>
    `${company}: the request at ${time} was refused: ${why}${free === null ? '' : `; allowed again at ${free}`}`,
  masked: 'the log has the number masked, and its visible digits match',
  attempts: {
    accepted: (channel, time) => `${channel} accepted it at ${time}, delivery not confirmed`,
    failed: (channel, time) => `${channel} accepted it and did not deliver it (${time})`,
    refused: (channel, time) => `${channel} refused it at ${time}`,
    unavailable: (channel, time) => `${channel} was unavailable at ${time}`,
    unknown: (channel, time) => `${channel} gave no clear answer at ${time}`,
    sending: (channel, time) => `${channel} has been sending it since ${time}`,
  },
  message: ({ time, company, attempts }) => `${company}: sent at ${time}: ${attempts}`,
  noChannel: 'interrupted before a channel was called',
  next: (channels) => `next channel: ${channels}`,
  arrived: {
    delivered: ({ channel, time, company }) => `${company}: delivered by ${channel} at ${time}`,
    read: ({ channel, time, company }) => `${company}: delivered and read in ${channel} at ${time}`,
    verified: ({ time, company }) =>
      `${company}: the code arrived and was entered correctly at ${time}`,
  },
  later: (what) => `later ${what}`,
  wrongCodes: (count) => `wrong codes entered: ${count}`,
  lateCodes: (count) => `codes entered too late: ${count}`,
  errors: {
    send_rate_limited: 'phone limit, one code a minute',
    daily_limit_reached: 'phone limit, too many sends in an hour or a day',
    too_many_attempts: 'too many wrong codes',
    insufficient_tokens: 'not enough tokens on the balance',
    blocked_by_fraud_guard: 'the fraud guard has stopped sends to this number',
    company_suspended: 'the company is suspended',
    invalid_phone: 'not a valid phone number',
    country_not_supported: 'no SMS to this country',
    channel_disabled: 'the key does not allow this channel',
    channel_not_connected: 'this channel is not connected',
    no_channel_available: 'no suitable channel',
    delivery_failed: 'no channel accepted the message',
    delivery_unconfirmed: 'the channel did not confirm that it has the message',
    service_unavailable: 'the service was unavailable',
    api_rate_limited: 'too many requests with this key',
    internal_error: 'an internal error',
  },
  otherError: (code) => code,
  steps: {
    accepted: () => 'Request accepted',
    attempt: (channel) => `Sending by ${channel}`,
    sent: (channel) => `${channel} accepted it`,
    refused: (channel) => `${channel} refused it`,
    unavailable: (channel) => `${channel} unavailable`,
    unknown: (channel) => `${channel}: outcome unknown`,
    delivered: (channel) => `Delivered by ${channel}`,
    read: () => 'Read',
    failed: (channel) => `${channel} did not deliver it`,
    unconfirmed: (channel) => `${channel} did not confirm the delivery`,
    fallback: (channel) => `Next channel: ${channel}`,
    verified: () => 'Code entered correctly',
    clicked: () => 'Link opened',
    send_refused: () => 'Send refused',
    code_verified: () => 'Code entered correctly',
    code_wrong: () => 'Wrong code entered',
    code_locked: () => 'Code locked: too many wrong codes',
    code_expired: () => 'Code entered too late',
    code_used: () => 'Code entered that was used before',
    code_missing: () => 'Code entered that was never sent',
    call_refused: () => 'Request refused',
    call_done: () => 'Request done',
    sms_blocked: () => 'The pumping guard blocked SMS to such numbers',
  },
  late: 'late',
  test: 'test key',
};

const WORDS: Readonly<Record<Lang, Words>> = { ru: RU, kk: KK, en: EN };

/** Times are those of Almaty, to the second. */
const clockTime = (at: Date) => almatyTime(at).slice(11);

type Companies = FoundStory['companies'];

const nameOf = (companies: Companies, id: CompanyId) => companies.get(id) ?? String(id);

function errorWords(words: Words, code: string): string {
  const known = words.errors[code as ErrorCode];
  if (known !== undefined) return known;
  return words === RU && code in ERRORS
    ? ERRORS[code as ErrorCode].message
    : words.otherError(code);
}

/** The conclusion as one sentence. */
export function conclusionText(conclusion: Conclusion, companies: Companies, lang: Lang): string {
  const words = WORDS[lang];
  return `${concludingParts(conclusion, companies, words).join('; ')}.`;
}

function concludingParts(conclusion: Conclusion, companies: Companies, words: Words): string[] {
  switch (conclusion.verdict) {
    case 'nothing_sent':
      return [words.nothingSent];
    case 'refused': {
      const { at, companyId, errorCode, freeAt, isMasked, later } = conclusion;
      const sentence = words.refused({
        time: clockTime(at),
        company: nameOf(companies, companyId),
        why: errorWords(words, errorCode),
        free: freeAt === null ? null : clockTime(freeAt),
      });
      return [
        sentence,
        ...(isMasked ? [words.masked] : []),
        ...laterParts(later, companies, words),
      ];
    }
    case 'arrived':
      return [
        arrivalText(conclusion, companies, words),
        ...(conclusion.wrongCodes > 0 ? [words.wrongCodes(conclusion.wrongCodes)] : []),
        ...(conclusion.lateCodes > 0 ? [words.lateCodes(conclusion.lateCodes)] : []),
      ];
    default: {
      const { at, companyId, attempts, next, later } = conclusion;
      const told = attempts.map((attempt) => attemptText(attempt, words));
      const sentence = words.message({
        time: clockTime(at),
        company: nameOf(companies, companyId),
        attempts: told[0] ?? words.noChannel,
      });
      const coming = next.map((channel) => CHANNEL_TITLES[channel]).join(', ');
      return [
        sentence,
        ...told.slice(1),
        ...(coming === '' ? [] : [words.next(coming)]),
        ...laterParts(later, companies, words),
      ];
    }
  }
}

function laterParts(later: Arrival | null, companies: Companies, words: Words): string[] {
  return later === null ? [] : [words.later(arrivalText(later, companies, words))];
}

function arrivalText({ how, at, companyId, channel }: Arrival, companies: Companies, words: Words) {
  const company = nameOf(companies, companyId);
  return words.arrived[how]({ channel: titleOf(channel), time: clockTime(at), company });
}

function attemptText({ channel, at, result, reason }: AttemptFacts, words: Words): string {
  const told = words.attempts[result](CHANNEL_TITLES[channel], clockTime(at));
  return reason === null || result === 'accepted' ? told : `${told}: ${reason}`;
}

function titleOf(channel: Channel | null): string {
  return channel === null ? '' : CHANNEL_TITLES[channel];
}

/** One event in words, with the raw reason of the provider. */
export function eventText(event: StoryEvent, lang: Lang): string {
  const words = WORDS[lang];
  const { kind, channel, reason, errorCode } = event;
  const isRefusal = kind === 'send_refused' || kind === 'call_refused';
  const why = isRefusal && errorCode !== null ? errorWords(words, errorCode) : reason;
  const notes = [
    ...(event.sms === null ? [] : [smsWayText(event.sms, lang)]),
    ...(event.isLate ? [words.late] : []),
    ...(event.isTest ? [words.test] : []),
    ...(event.isMasked ? [words.masked] : []),
  ];
  const told = words.steps[kind](titleOf(channel));
  return `${told}${why === null ? '' : `: ${why}`}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}
