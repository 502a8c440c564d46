import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';

type Gender = 'masculine' | 'feminine';

/** The largest amount that can be put into words. */
export const AMOUNT_MAX = 999_999_999_999;

/** `одна тысяча тенге`, `бір мың теңге`: a whole amount of tenge as papers write it. */
export function amountInWords(amount: number, lang: PaperLang): string {
  if (!Number.isSafeInteger(amount) || amount < 0 || amount > AMOUNT_MAX) {
    throw new RangeError(`${amount} cannot be put into words`);
  }
  return lang === 'ru' ? `${russian(amount)} тенге` : `${kazakh(amount)} теңге`;
}

/** From the highest: a group of three digits each. */
function groupsOf(amount: number): { index: number; group: number }[] {
  return [3, 2, 1, 0]
    .map((index) => ({ index, group: Math.floor(amount / 1_000 ** index) % 1_000 }))
    .filter(({ group }) => group > 0);
}

const RU_HUNDREDS = [
  '',
  'сто',
  'двести',
  'триста',
  'четыреста',
  'пятьсот',
  'шестьсот',
  'семьсот',
  'восемьсот',
  'девятьсот',
];
const RU_TENS = [
  '',
  '',
  'двадцать',
  'тридцать',
  'сорок',
  'пятьдесят',
  'шестьдесят',
  'семьдесят',
  'восемьдесят',
  'девяносто',
];
const RU_TEENS = [
  'десять',
  'одиннадцать',
  'двенадцать',
  'тринадцать',
  'четырнадцать',
  'пятнадцать',
  'шестнадцать',
  'семнадцать',
  'восемнадцать',
  'девятнадцать',
];
const RU_ONES: Record<Gender, readonly string[]> = {
  masculine: ['', 'один', 'два', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'],
  feminine: ['', 'одна', 'две', 'три', 'четыре', 'пять', 'шесть', 'семь', 'восемь', 'девять'],
};
/** The word after one, after two to four, and after any other number. The tenge itself is not declined. */
const RU_SCALES: readonly { gender: Gender; forms: readonly [string, string, string] }[] = [
  { gender: 'masculine', forms: ['', '', ''] },
  { gender: 'feminine', forms: ['тысяча', 'тысячи', 'тысяч'] },
  { gender: 'masculine', forms: ['миллион', 'миллиона', 'миллионов'] },
  { gender: 'masculine', forms: ['миллиард', 'миллиарда', 'миллиардов'] },
];

function russian(amount: number): string {
  if (amount === 0) return 'ноль';
  return joined(
    groupsOf(amount).flatMap(({ index, group }) => {
      const { gender, forms } = RU_SCALES[index] as (typeof RU_SCALES)[number];
      return [...russianGroup(group, gender), forms[russianForm(group)]];
    }),
  );
}

function russianGroup(group: number, gender: Gender): (string | undefined)[] {
  const rest = group % 100;
  const isTeen = rest >= 10 && rest < 20;
  return [
    RU_HUNDREDS[Math.floor(group / 100)],
    isTeen ? RU_TEENS[rest - 10] : RU_TENS[Math.floor(rest / 10)],
    isTeen ? undefined : RU_ONES[gender][rest % 10],
  ];
}

/** Which form of a noun stands after a number. */
function russianForm(count: number): 0 | 1 | 2 {
  const rest = count % 100;
  const last = count % 10;
  if ((rest > 10 && rest < 20) || last === 0 || last > 4) return 2;
  return last === 1 ? 0 : 1;
}

const KK_ONES = ['', 'бір', 'екі', 'үш', 'төрт', 'бес', 'алты', 'жеті', 'сегіз', 'тоғыз'];
const KK_TENS = ['', 'он', 'жиырма', 'отыз', 'қырық', 'елу', 'алпыс', 'жетпіс', 'сексен', 'тоқсан'];
const KK_SCALES = ['', 'мың', 'миллион', 'миллиард'];

function kazakh(amount: number): string {
  if (amount === 0) return 'нөл';
  return joined(
    groupsOf(amount).flatMap(({ index, group }) => [...kazakhGroup(group), KK_SCALES[index]]),
  );
}

/** A hundred is `жүз` without `бір`; a thousand is `бір мың`, so that nothing can be added before it. */
function kazakhGroup(group: number): (string | undefined)[] {
  const hundreds = Math.floor(group / 100);
  return [
    hundreds > 1 ? KK_ONES[hundreds] : undefined,
    hundreds > 0 ? 'жүз' : undefined,
    KK_TENS[Math.floor(group / 10) % 10],
    KK_ONES[group % 10],
  ];
}

function joined(words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
