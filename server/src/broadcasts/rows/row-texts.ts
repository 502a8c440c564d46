import type { PhoneFault, RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Lang } from '@zhiber/contract/languages.ts';

/** The words of a file with the rows of a draft. */
export type RowTexts = {
  /** Headings of the columns that are added. */
  number: string;
  verdict: string;
  reason: string;
  verdicts: Record<RowVerdict, string>;
  faults: Record<PhoneFault, string>;
  sameAs(row: string): string;
};

export const ROW_TEXTS: Readonly<Record<Lang, RowTexts>> = {
  ru: {
    number: 'Строка файла',
    verdict: 'Результат проверки',
    reason: 'Причина',
    verdicts: {
      send: 'Будет отправлено',
      duplicate: 'Дубликат',
      invalid: 'Неверный номер',
      cannot_receive: 'Не мобильный',
      other_country: 'Другая страна',
      unsubscribed: 'Отписался',
      no_consent: 'Нет согласия',
    },
    faults: {
      empty: 'Номера нет',
      letters: 'В номере буквы',
      too_short: 'Не хватает цифр',
      too_long: 'Лишние цифры',
      two_numbers: 'Два номера в одной ячейке',
      ambiguous: 'Страна номера не определена: добавьте + и код страны',
      not_a_number: 'Это не номер телефона',
    },
    sameAs: (row) => `Тот же номер в строке ${row}`,
  },
  kk: {
    number: 'Файл жолы',
    verdict: 'Тексеру нәтижесі',
    reason: 'Себебі',
    verdicts: {
      send: 'Жіберіледі',
      duplicate: 'Қайталанған',
      invalid: 'Қате нөмір',
      cannot_receive: 'Ұялы нөмір емес',
      other_country: 'Басқа ел',
      unsubscribed: 'Бас тартқан',
      no_consent: 'Келісімі жоқ',
    },
    faults: {
      empty: 'Нөмір жоқ',
      letters: 'Нөмірде әріп бар',
      too_short: 'Цифр жетпейді',
      too_long: 'Артық цифр бар',
      two_numbers: 'Бір ұяшықта екі нөмір',
      ambiguous: 'Қай елдің нөмірі екені белгісіз: + белгісі мен ел кодын қосыңыз',
      not_a_number: 'Бұл телефон нөмірі емес',
    },
    sameAs: (row) => `Дәл осы нөмір ${row}-жолда бар`,
  },
  en: {
    number: 'Row in the file',
    verdict: 'Result',
    reason: 'Reason',
    verdicts: {
      send: 'Will be sent',
      duplicate: 'Duplicate',
      invalid: 'Invalid number',
      cannot_receive: 'Not a mobile number',
      other_country: 'Another country',
      unsubscribed: 'Unsubscribed',
      no_consent: 'No consent',
    },
    faults: {
      empty: 'No number',
      letters: 'Letters in the number',
      too_short: 'Digits are missing',
      too_long: 'Too many digits',
      two_numbers: 'Two numbers in one cell',
      ambiguous: 'Country unclear: add + and the country code',
      not_a_number: 'Not a phone number',
    },
    sameAs: (row) => `The same number as in row ${row}`,
  },
};
