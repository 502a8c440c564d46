import { ERROR_CODES, ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import type { Lang } from '../language.ts';
import { ERROR_TEXTS_EN } from './error-texts-en.ts';
import { ERROR_TEXTS_KK } from './error-texts-kk.ts';

/** A code without its meaning and advice does not compile. */
export type ErrorTexts = Record<ErrorCode, { meaning: string; advice: string }>;

/** Russian comes from the contract, so that the page and the API cannot disagree. */
const ERROR_TEXTS_RU = Object.fromEntries(
  ERROR_CODES.map((code) => [code, { meaning: ERRORS[code].message, advice: ERRORS[code].advice }]),
) as ErrorTexts;

export const ERROR_TEXTS = {
  ru: ERROR_TEXTS_RU,
  kk: ERROR_TEXTS_KK,
  en: ERROR_TEXTS_EN,
} as const satisfies Record<Lang, ErrorTexts>;

type ErrorPageTexts = {
  listTitle: string;
  listLead: string;
  columns: { code: string; status: string; meaning: string; retry: string };
  back: string;
  whatHappened: string;
  apiMessage: string;
  whatToDo: string;
  retryQuestion: string;
  retryYes: string;
  retryNo: string;
  retryYesLong: string;
  retryNoLong: string;
  chargedQuestion: string;
  chargedNever: string;
  example: string;
  related: string;
  unknownTitle: string;
  unknownText: string;
};

export const ERROR_PAGE_TEXTS = {
  ru: {
    listTitle: 'Ошибки API',
    listLead:
      'Каждый ответ с ошибкой содержит error_code. Коды не меняются и не переименовываются. За ответ с ошибкой токены не списываются никогда.',
    columns: { code: 'Код', status: 'HTTP', meaning: 'Что случилось', retry: 'Повторять?' },
    back: 'Все ошибки',
    whatHappened: 'Что произошло',
    apiMessage: 'Поле message в ответе',
    whatToDo: 'Что делать',
    retryQuestion: 'Повторять запрос?',
    retryYes: 'да',
    retryNo: 'нет',
    retryYesLong:
      'Да: тот же запрос может пройти позже. Если есть retry_after — через столько секунд.',
    retryNoLong: 'Нет: тот же запрос получит тот же ответ. Сначала исправьте причину.',
    chargedQuestion: 'Списаны ли токены?',
    chargedNever: 'Нет. Ответ с success: false никогда не списывает токены.',
    example: 'Пример ответа',
    related: 'Рядом',
    unknownTitle: 'Такого кода ошибки нет',
    unknownText: 'Проверьте, что код скопирован целиком, или найдите его в списке.',
  },
  kk: {
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
  },
  en: {
    listTitle: 'API errors',
    listLead:
      'Every error answer has an error_code. Codes are never changed or renamed. An answer with an error never costs tokens.',
    columns: { code: 'Code', status: 'HTTP', meaning: 'What happened', retry: 'Retry?' },
    back: 'All errors',
    whatHappened: 'What happened',
    apiMessage: 'The message field of the answer',
    whatToDo: 'What to do',
    retryQuestion: 'Retry the request?',
    retryYes: 'yes',
    retryNo: 'no',
    retryYesLong:
      'Yes: the same request can succeed later. If there is a retry_after, wait that many seconds.',
    retryNoLong: 'No: the same request will get the same answer. Mend the cause first.',
    chargedQuestion: 'Were tokens charged?',
    chargedNever: 'No. An answer with success: false never costs tokens.',
    example: 'Example answer',
    related: 'Nearby',
    unknownTitle: 'There is no such error code',
    unknownText: 'Check that the code was copied whole, or look for it in the list.',
  },
} as const satisfies Record<Lang, ErrorPageTexts>;
