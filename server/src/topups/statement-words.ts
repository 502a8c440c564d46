import { STATEMENT_BYTES_MAX, STATEMENT_LINES_MAX } from '@zhiber/contract/admin/payment-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';

/** Why a file is no statement, why a line is unreadable, or what is odd about it. */
export type StatementReason = { code: ReasonCode; values: readonly string[] };

/** Named values stand for what the file, or the order, says. */
const EN = {
  too_large: () => `The file is larger than ${STATEMENT_BYTES_MAX / 1024 / 1024} MB.`,
  excel: () => 'This is an Excel file. Save it as CSV first.',
  no_columns: () =>
    'No line names the columns: a date, an amount or a credit, and the purpose of the payment.',
  open_quote: () => 'A quotation mark is opened and never closed.',
  long_line: () => 'A line is too long to be a line of a statement.',
  too_many_lines: () => `The file has more than ${STATEMENT_LINES_MAX} lines.`,
  extra_cells: () => 'The line has more cells than the table has columns.',
  bad_date: (date: string) => `"${date}" is not a date like 31.12.2026.`,
  future_date: () => 'The date is in the future.',
  other_currency: (currency: string) => `The currency is ${currency}.`,
  no_amount: () => 'There is no amount.',
  bad_amount: (text: string) => `"${text}" is not an amount.`,
  unclear_amount: (text: string) => `"${text}" could be thousands or a fraction.`,
  not_whole: (text: string) => `${text} is not a whole number of tenge.`,
  too_much: (text: string, max: string) => `${text} is more than ${max} tenge.`,
  names_no_order: () => 'The purpose names no order.',
  names_several: (references: string) => `The purpose names several orders: ${references}.`,
  reported_by_provider: (reference: string, provider: string) =>
    `${reference} is an order by ${provider}. Match it if the money is not there.`,
  order_is_for: (amount: string) => `The order is for ${amount} ₸.`,
  credited_with: (amount: string) => `It was credited with ${amount} ₸.`,
};
export type ReasonCode = keyof typeof EN;
type Words = Record<ReasonCode, (first: string, second: string) => string>;

const RU: Words = {
  too_large: () => `Файл больше ${STATEMENT_BYTES_MAX / 1024 / 1024} МБ.`,
  excel: () => 'Это файл Excel. Сначала сохраните его как CSV.',
  no_columns: () =>
    'Не нашли строку с названиями столбцов: нужны дата, сумма или кредит и назначение платежа.',
  open_quote: () => 'Кавычка открыта и не закрыта.',
  long_line: () => 'Одна из строк слишком длинная для выписки.',
  too_many_lines: () => `В файле больше ${STATEMENT_LINES_MAX} строк.`,
  extra_cells: () => 'В строке больше ячеек, чем столбцов в таблице.',
  bad_date: (date) => `«${date}» — не дата вида 31.12.2026.`,
  future_date: () => 'Дата в будущем.',
  other_currency: (currency) => `Валюта — ${currency}.`,
  no_amount: () => 'Нет суммы.',
  bad_amount: (text) => `«${text}» — не сумма.`,
  unclear_amount: (text) => `«${text}» — то ли тысячи, то ли дробь.`,
  not_whole: (text) => `${text} — не целое число тенге.`,
  too_much: (text, max) => `${text} — больше ${max} тенге.`,
  names_no_order: () => 'В назначении нет кода платежа.',
  names_several: (references) => `В назначении несколько кодов платежа: ${references}.`,
  reported_by_provider: (reference, provider) =>
    `${reference} оплачивают через ${provider}. Сопоставьте, если там этих денег нет.`,
  order_is_for: (amount) => `Счёт был на ${amount} ₸.`,
  credited_with: (amount) => `Зачислено было ${amount} ₸.`,
};

const KK: Words = {
  too_large: () => `Файл ${STATEMENT_BYTES_MAX / 1024 / 1024} МБ-тан үлкен.`,
  excel: () => 'Бұл Excel файлы. Алдымен оны CSV ретінде сақтаңыз.',
  no_columns: () =>
    'Бағандардың атаулары бар жол табылмады: күні, сомасы немесе кредиті және төлем мақсаты керек.',
  open_quote: () => 'Тырнақша ашылған, бірақ жабылмаған.',
  long_line: () => 'Бір жол үзінді көшірме үшін тым ұзын.',
  too_many_lines: () => `Файлда ${STATEMENT_LINES_MAX} жолдан көп.`,
  extra_cells: () => 'Жолдағы ұяшықтар кесте бағандарынан көп.',
  bad_date: (date) => `«${date}» — 31.12.2026 түріндегі күн емес.`,
  future_date: () => 'Күні болашақта.',
  other_currency: (currency) => `Валютасы — ${currency}.`,
  no_amount: () => 'Сомасы жоқ.',
  bad_amount: (text) => `«${text}» — сома емес.`,
  unclear_amount: (text) => `«${text}» — мыңдық па, бөлшек пе, белгісіз.`,
  not_whole: (text) => `${text} — бүтін теңге емес.`,
  too_much: (text, max) => `${text} — ${max} теңгеден көп.`,
  names_no_order: () => 'Төлем мақсатында төлем коды жоқ.',
  names_several: (references) => `Төлем мақсатында бірнеше төлем коды бар: ${references}.`,
  reported_by_provider: (reference, provider) =>
    `${reference} ${provider} арқылы төленеді. Ақша ол жерде болмаса ғана сәйкестендіріңіз.`,
  order_is_for: (amount) => `Шот ${amount} ₸ болатын.`,
  credited_with: (amount) => `${amount} ₸ есептелген болатын.`,
};

const WORDS: Readonly<Record<Lang, Words>> = { ru: RU, kk: KK, en: EN };

export function reasonText({ code, values }: StatementReason, lang: Lang): string {
  return WORDS[lang][code](values[0] ?? '', values[1] ?? '');
}
