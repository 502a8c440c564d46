import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import type { Cell } from '../messages/xlsx.ts';
import { paperNumber } from '../paper-number.ts';
import type { Block, Row, Sheet } from '../pdf/sheet.ts';
import { type Act, dateOfAct } from './act.ts';
import {
  figures,
  figuresWithTiyn,
  inWords,
  longDate,
  monthTitle,
  shortDate,
  tenge,
} from './paper-format.ts';
import { BALANCE_ROWS, PAPER_TEXTS, type PaperTexts } from './paper-texts.ts';
import { withBusinessId } from './receipt-sheet.ts';
import { vatIn, vatTotal } from './seller.ts';

/** A service as the act lists it; a price or a count is null where there is no single one. */
type Service = { name: string; count: number | null; price: number | null; amount: number };

function servicesOf(act: Act, { act: words }: PaperTexts): Service[] {
  const services: Service[] = act.lines.map(({ channel, count, price, amount }) => ({
    name: words.message(CHANNEL_TITLES[channel]),
    count,
    price,
    amount,
  }));
  if (act.isFromLedger && act.total !== 0) {
    services.push({ name: words.messages, count: act.messages, price: null, amount: act.total });
  }
  if (act.adjustment !== 0) {
    services.push({ name: words.adjustment, count: null, price: null, amount: act.adjustment });
  }
  return services;
}

/** From the opening to the closing balance: each line is added to those before it. */
function balanceOf(act: Act, { act: words }: PaperTexts): { name: string; amount: number }[] {
  const { opening, moves, closing } = act.balance;
  return [
    { name: words.opening, amount: opening },
    ...BALANCE_ROWS.flatMap((row) => {
      const amount = moves[row];
      return amount === undefined ? [] : [{ name: words.rows[row], amount }];
    }),
    { name: words.services, amount: 0 - act.total },
    { name: words.closing, amount: closing },
  ];
}

/** The act of services of a month. */
export function actSheet(act: Act, lang: PaperLang): Sheet {
  const texts = PAPER_TEXTS[lang];
  const words = texts.act;
  const date = dateOfAct(act);
  const title = words.title(paperNumber(act.number));
  const { seller, buyer } = act;
  return {
    title,
    author: seller.name,
    language: lang,
    createdAt: date,
    banner: seller.isSample ? texts.sandbox : undefined,
    foot: `${texts.foot} · ${title}`,
    page: texts.page,
    blocks: [
      { kind: 'title', text: title, note: words.dated(longDate(date, lang)) },
      {
        kind: 'facts',
        rows: [
          { name: words.seller, value: withBusinessId(seller, texts) },
          { name: texts.address, value: seller.address },
          { name: words.buyer, value: withBusinessId(buyer, texts) },
          {
            name: words.period,
            value: `${monthTitle(act.month, lang)} (${shortDate(new Date(act.from))} – ${shortDate(date)})`,
          },
        ],
      },
      ...servicesBlocks(act, texts, lang),
      // On the page of the services, which they are for.
      {
        kind: 'signatures',
        parties: [
          { role: words.gave, name: seller.name, signature: words.signature },
          { role: words.took, name: buyer.name, signature: words.signature },
        ],
      },
      { kind: 'heading', text: words.balance },
      balanceTable(act, texts),
    ],
  };
}

function servicesBlocks(act: Act, texts: PaperTexts, lang: PaperLang): Block[] {
  const words = texts.act;
  const services = servicesOf(act, texts);
  if (services.length === 0) return [{ kind: 'text', text: words.nothing, look: 'strong' }];
  const { columns } = words;
  const optional = (value: number | null) => (value === null ? '—' : figures(value));
  const rows: Row[] = [
    ...services.map(({ name, count, price, amount }, i) => ({
      cells: [
        String(i + 1),
        name,
        count === null ? '—' : words.unit,
        optional(count),
        optional(price),
        figures(amount),
      ],
    })),
    { cells: ['', words.total, '', '', '', figures(act.total)], isStrong: true },
    vatRow(act, services, texts),
  ];
  return [
    {
      kind: 'table',
      columns: [
        { title: columns.number, width: 0.06, align: 'center' },
        { title: columns.name, width: 0.42 },
        { title: columns.unit, width: 0.1, align: 'center' },
        { title: columns.count, width: 0.13, align: 'right' },
        { title: columns.price, width: 0.13, align: 'right' },
        { title: columns.sum, width: 0.16, align: 'right' },
      ],
      rows,
    },
    {
      kind: 'facts',
      rows: [
        { name: words.words, value: tenge(act.total), isStrong: true },
        { name: '', value: inWords(act.total, lang) },
      ],
    },
    ...(act.isFromLedger
      ? [{ kind: 'text', text: words.fromLedger, look: 'strong' } as const]
      : []),
    { kind: 'text', text: words.accepted },
  ];
}

/** The sum of the lines, each rounded, as accounting programs count it from the table. */
function vatRow({ seller: { vat } }: Act, services: readonly Service[], texts: PaperTexts): Row {
  if (vat === null) return { cells: ['', texts.withoutVat, '', '', '', '—'] };
  const total = vatTotal(services.map(({ amount }) => vatIn(amount, vat)));
  return { cells: ['', texts.vat(vat), '', '', '', figuresWithTiyn(total)] };
}

function balanceTable(act: Act, texts: PaperTexts): Block {
  const rows = balanceOf(act, texts);
  return {
    kind: 'table',
    columns: [
      { title: texts.act.balanceRow, width: 0.7 },
      { title: texts.act.columns.sum, width: 0.3, align: 'right' },
    ],
    rows: rows.map(({ name, amount }, i) => ({
      cells: [name, figures(amount)],
      isStrong: i === 0 || i === rows.length - 1,
    })),
  };
}

/** The act as a flat table, which accounting programs take: one line per service, then the balance. */
export function actRows(act: Act, lang: PaperLang): Cell[][] {
  const texts = PAPER_TEXTS[lang];
  const { columns, table, unit } = texts.act;
  const { seller, buyer } = act;
  const head = [
    paperNumber(act.number),
    shortDate(dateOfAct(act)),
    seller.name,
    seller.businessId,
    buyer.name,
    buyer.businessId,
  ];
  return [
    [
      table.section,
      table.number,
      table.date,
      table.seller,
      table.sellerId,
      table.buyer,
      table.buyerId,
      columns.name,
      columns.unit,
      columns.count,
      columns.price,
      columns.sum,
      table.vatRate,
      table.vatSum,
    ],
    ...servicesOf(act, texts).map(({ name, count, price, amount }): Cell[] => [
      table.servicesSection,
      ...head,
      name,
      count === null ? null : unit,
      count,
      price,
      amount,
      seller.vat,
      seller.vat === null ? null : vatIn(amount, seller.vat),
    ]),
    ...balanceOf(act, texts).map(({ name, amount }): Cell[] => [
      table.balanceSection,
      ...head,
      name,
      null,
      null,
      null,
      amount,
      null,
      null,
    ]),
  ];
}
