import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import { almatyTime } from '../almaty.ts';
import { amountInWords } from './amount-in-words.ts';
import type { Month } from './month.ts';

const NO_BREAK = '\u{a0}';

/** `12 345 ₸` */
export function tenge(amount: number): string {
  return `${figures(amount)}${NO_BREAK}₸`;
}

/** `12 345`: digits in groups that stay on one line. */
export function figures(amount: number): string {
  const sign = amount < 0 ? '−' : '';
  return sign + String(Math.abs(amount)).replaceAll(/\B(?=(\d{3})+$)/g, NO_BREAK);
}

/** `20 689,66`: with its tiyn, as VAT is written. */
export function figuresWithTiyn(amount: number): string {
  const [whole = '', tiyn = ''] = Math.abs(amount).toFixed(2).split('.');
  return `${amount < 0 ? '−' : ''}${figures(Number(whole))},${tiyn}`;
}

/** `Пять тысяч тенге 00 тиын`: nothing can be added to it. */
export function inWords(amount: number, lang: PaperLang): string {
  const words = `${amountInWords(Math.abs(amount), lang)} 00 тиын`;
  if (amount < 0) return `Минус ${words}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MONTHS: Record<PaperLang, readonly string[]> = {
  ru: [
    'января',
    'февраля',
    'марта',
    'апреля',
    'мая',
    'июня',
    'июля',
    'августа',
    'сентября',
    'октября',
    'ноября',
    'декабря',
  ],
  kk: [
    'қаңтар',
    'ақпан',
    'наурыз',
    'сәуір',
    'мамыр',
    'маусым',
    'шілде',
    'тамыз',
    'қыркүйек',
    'қазан',
    'қараша',
    'желтоқсан',
  ],
};
const MONTH_TITLES_RU = [
  'январь',
  'февраль',
  'март',
  'апрель',
  'май',
  'июнь',
  'июль',
  'август',
  'сентябрь',
  'октябрь',
  'ноябрь',
  'декабрь',
];

/** `17 ноября 2026 г.`, `2026 жылғы 17 қараша` */
export function longDate(at: Date, lang: PaperLang): string {
  const [year, month = '', day] = almatyTime(at).slice(0, 10).split('-');
  const name = MONTHS[lang][Number(month) - 1];
  return lang === 'ru'
    ? `${Number(day)} ${name} ${year} г.`
    : `${year} жылғы ${Number(day)} ${name}`;
}

/** `17.11.2026` */
export function shortDate(at: Date): string {
  return almatyTime(at).slice(0, 10).split('-').reverse().join('.');
}

/** `17.11.2026, 20:01:48` */
export function shortTime(at: Date): string {
  return `${shortDate(at)}, ${almatyTime(at).slice(11)}`;
}

/** `ноябрь 2026 г.`, `2026 жылғы қараша` */
export function monthTitle(month: Month, lang: PaperLang): string {
  const [year, number = ''] = month.split('-');
  const index = Number(number) - 1;
  if (lang === 'ru') return `${MONTH_TITLES_RU[index]} ${year} г.`;
  return `${year} жылғы ${MONTHS.kk[index]}`;
}
