import { ERROR_CODES, ERRORS } from '@zhiber/contract/api/errors.ts';
import type { PublicTexts } from '@zhiber/contract/pages.ts';

/** The API's own Russian texts, so that the page and the API cannot disagree. */
const codes = Object.fromEntries(
  ERROR_CODES.map((code) => [code, { meaning: ERRORS[code].message, advice: ERRORS[code].advice }]),
) as PublicTexts['errorPages']['codes'];

/** The catalogue of the API's errors. */
export const errorPages = {
  listTitle: 'Ошибки API',
  listLead:
    'Каждый ответ с ошибкой содержит error_code. Коды не меняются. За ответ с ошибкой токены не списываются.',
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
  related: 'Похожие ошибки',
  unknownTitle: 'Такого кода ошибки нет',
  unknownText: 'Проверьте, что код скопирован целиком, или найдите его в списке.',
  codes,
} satisfies PublicTexts['errorPages'];
