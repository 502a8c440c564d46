/**
 * A table of 10,000 recipients, as a shop has one, of which every twentieth row is rubbish of a known
 * kind. What becomes of each row is written down here, and not found by the code under test.
 *
 * `recipients.xlsx` is the same table, saved by LibreOffice 7.4. To make it anew, write the bytes of
 * `encode1251(toCsv(planRecipients()))` to recipients.csv, and run
 * `soffice --headless --infilter="CSV:59,34,34,1" --convert-to xlsx recipients.csv`: semicolons,
 * double quotes, Windows-1251, from row 1.
 */
import type { PhoneFault, RowVerdict } from '@zhiber/contract/cabinet/broadcast-words.ts';

export type PlannedRow = {
  /** As the file shows it: the headings are row 1. */
  number: number;
  cells: [name: string, phone: string, city: string, consent: string];
  phone: number | null;
  verdict: RowVerdict;
  reason: string | null;
  /** Who has this phone on the list of those who unsubscribed. */
  unsubscribedFrom?: 'company' | 'everywhere';
};

export const HEADINGS = ['Имя', 'Телефон', 'Город', 'Согласие'];
export const ROWS = 10_000;

/** Adds up to 500 rows: 5 %. */
const RUBBISH: readonly [
  kind: PhoneFault | Exclude<RowVerdict, 'send' | 'invalid'>,
  count: number,
][] = [
  ['empty', 25],
  ['letters', 75],
  ['too_short', 50],
  ['too_long', 50],
  ['two_numbers', 25],
  ['ambiguous', 25],
  ['not_a_number', 25],
  ['cannot_receive', 50],
  ['other_country', 50],
  ['duplicate', 75],
  ['no_consent', 25],
  ['unsubscribed', 25],
];

/** The sums that a person would expect to see. */
export const EXPECTED_COUNTS: Record<RowVerdict, number> = {
  send: 9_500,
  duplicate: 75,
  invalid: 275,
  cannot_receive: 50,
  other_country: 50,
  unsubscribed: 25,
  no_consent: 25,
};

const NAMES = ['Айгуль', 'Нурлан', 'Ольга', 'Ербол', 'Ёлка и Ко', 'Дина'];

/** A mobile phone of Kazakhstan: 701 and seven digits. */
const subscriberOf = (i: number) => String(1_000_000 + i);

/** As people write it. */
function spell(subscriber: string, i: number): string {
  const [a, b, c] = [subscriber.slice(0, 3), subscriber.slice(3, 5), subscriber.slice(5)];
  switch (i % 5) {
    case 0:
      return `8701${subscriber}`;
    case 1:
      return `+7 (701) ${a}-${b}-${c}`;
    case 2:
      return `7701${subscriber}`;
    case 3:
      return `701 ${a} ${b} ${c}`;
    default:
      return `8-701-${a}-${b}-${c}`;
  }
}

export function planRecipients(): PlannedRow[] {
  const kinds = RUBBISH.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  return Array.from({ length: ROWS }, (_, i) =>
    i % 20 === 19 ? planRubbish(i, kinds[(i - 19) / 20] as (typeof kinds)[number]) : planGood(i),
  );
}

function planGood(i: number): PlannedRow {
  const name =
    i % 1_000 === 7 ? 'ТОО "Ромашка";\nфилиал в Алматы' : (NAMES[i % NAMES.length] as string);
  return {
    number: i + 2,
    cells: [name, spell(subscriberOf(i), i), i % 3 === 0 ? '' : 'Алматы', 'да'],
    phone: Number(`7701${subscriberOf(i)}`),
    verdict: 'send',
    reason: null,
  };
}

function planRubbish(i: number, kind: (typeof RUBBISH)[number][0]): PlannedRow {
  const good = planGood(i);
  const [name, phone, city] = good.cells;
  const withPhone = (text: string): PlannedRow['cells'] => [name, text, city, 'да'];
  const invalid = (text: string): PlannedRow => ({
    number: good.number,
    cells: withPhone(text),
    phone: null,
    verdict: 'invalid',
    reason: kind,
  });
  const subscriber = subscriberOf(i);
  switch (kind) {
    case 'empty':
      return invalid('');
    case 'letters':
      return invalid(`87O1${subscriber}`);
    case 'too_short':
      return invalid(`8701${subscriber.slice(0, 5)}`);
    case 'too_long':
      return invalid(`8701${subscriber}5`);
    case 'two_numbers':
      return invalid(`8701${subscriber}, 8702${subscriber}`);
    case 'ambiguous':
      return invalid(`916${subscriber}`);
    case 'not_a_number':
      return invalid('???');
    case 'cannot_receive': {
      const landline = `727${2_500_000 + i}`;
      return {
        ...good,
        cells: withPhone(`8${landline}`),
        phone: Number(`7${landline}`),
        verdict: kind,
      };
    }
    case 'other_country': {
      const russian = `916${subscriber}`;
      return {
        ...good,
        cells: withPhone(`8${russian}`),
        phone: Number(`7${russian}`),
        verdict: kind,
      };
    }
    case 'duplicate':
      // Of the row before, in another spelling.
      return {
        ...good,
        cells: withPhone(spell(subscriberOf(i - 1), i + 1)),
        phone: Number(`7701${subscriberOf(i - 1)}`),
        verdict: kind,
        reason: String(good.number - 1),
      };
    case 'no_consent':
      return { ...good, cells: [name, phone, city, i % 40 === 19 ? 'Нет' : ''], verdict: kind };
    case 'unsubscribed':
      return { ...good, verdict: kind, unsubscribedFrom: i % 40 === 19 ? 'company' : 'everywhere' };
  }
}

export function toCsv(rows: readonly PlannedRow[], delimiter = ';', lineEnd = '\r\n'): string {
  const quote = (cell: string) => (/["\n;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const lines = [HEADINGS, ...rows.map(({ cells }) => cells)];
  return lines.map((cells) => cells.map(quote).join(delimiter) + lineEnd).join('');
}

/** Windows-1251, as far as the table needs it. */
export function encode1251(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.codePointAt(0) as number;
      if (code < 0x80) return code;
      if (code >= 0x410 && code <= 0x44f) return code - 0x410 + 0xc0;
      if (character === 'Ё') return 0xa8;
      if (character === 'ё') return 0xb8;
      throw new Error(`no byte for ${character}`);
    }),
  );
}
