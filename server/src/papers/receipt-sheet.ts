import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import { paperNumber } from '../paper-number.ts';
import type { Block, Fact, Sheet } from '../pdf/sheet.ts';
import { documentOf } from '../topups/payment-document.ts';
import { inWords, longDate, shortDate, shortTime, tenge } from './paper-format.ts';
import { PAPER_TEXTS, type PaperTexts } from './paper-texts.ts';
import type { Receipt, ReceiptRefund } from './receipt-store.ts';
import type { Seller } from './seller.ts';

export type ReceiptFacts = {
  receipt: Receipt;
  refunds: readonly ReceiptRefund[];
  seller: Seller;
  /** The public page that confirms it. */
  checkUrl: string;
};

/** The receipt of a payment. */
export function receiptSheet(facts: ReceiptFacts, lang: PaperLang): Sheet {
  const { receipt, seller } = facts;
  const texts = PAPER_TEXTS[lang];
  const words = texts.receipt;
  const title = words.title(paperNumber(receipt.number));
  return {
    title,
    author: seller.name,
    language: lang,
    createdAt: receipt.credited_at,
    banner: seller.isSample ? texts.sandbox : undefined,
    foot: `${texts.foot} · ${title} · ${words.valid}`,
    page: texts.page,
    blocks: [
      { kind: 'title', text: title, note: words.dated(longDate(receipt.credited_at, lang)) },
      { kind: 'facts', rows: parties(facts, texts) },
      {
        kind: 'facts',
        rows: [
          { name: words.amount, value: tenge(receipt.amount), isStrong: true },
          { name: words.words, value: inWords(receipt.amount, lang) },
          { name: words.purpose, value: words.purposeText },
        ],
      },
      { kind: 'facts', rows: paymentFacts(receipt, texts) },
      ...states(facts, texts),
      ...credited(receipt, words),
      { kind: 'qr', text: facts.checkUrl, lines: qrLines(facts, words) },
    ],
  };
}

function parties({ receipt, seller }: ReceiptFacts, texts: PaperTexts): Fact[] {
  const words = texts.receipt;
  const company = { name: receipt.company_name, businessId: receipt.company_business_id };
  const payer =
    receipt.payer_name === null
      ? company
      : { name: receipt.payer_name, businessId: receipt.payer_business_id };
  const isOwnPayer = payer.name === company.name && payer.businessId === company.businessId;
  return [
    { name: words.seller, value: withBusinessId(seller, texts) },
    { name: texts.address, value: seller.address },
    { name: words.payer, value: withBusinessId(payer, texts) },
    // Most companies pay for themselves.
    ...(isOwnPayer ? [] : [{ name: words.company, value: withBusinessId(company, texts) }]),
  ];
}

export function withBusinessId(
  { name, businessId }: { name: string; businessId: string | null },
  { businessId: word }: PaperTexts,
): string {
  return businessId === null ? name : `${name}\n${word}\u{a0}${businessId}`;
}

function paymentFacts(receipt: Receipt, { receipt: words, ways, almaty }: PaperTexts): Fact[] {
  const at = (time: Date) => `${shortTime(time)} (${almaty})`;
  const document = documentOf(receipt);
  return [
    { name: words.paidAt, value: at(receipt.paid_at) },
    { name: words.creditedAt, value: at(receipt.credited_at) },
    { name: words.way, value: ways[receipt.provider] ?? receipt.provider },
    ...(document === undefined ? [] : [{ name: words.payment, value: document }]),
    ...(receipt.order_reference === null
      ? []
      : [{ name: words.order, value: receipt.order_reference }]),
  ];
}

/** What is unusual about the payment, and what was sent back. */
function states({ receipt, refunds }: ReceiptFacts, { receipt: words }: PaperTexts): Block[] {
  const lines = [
    receipt.is_late && words.isLate,
    receipt.is_repeated && words.isRepeated,
    receipt.is_other_amount &&
      receipt.order_amount !== null &&
      words.isOtherAmount(tenge(receipt.order_amount)),
    ...refunds.map(({ amount, state, at }) =>
      (state === 'done' ? words.refund : words.refundAsked)(tenge(amount), shortDate(at)),
    ),
  ];
  const blocks: Block[] = lines
    .filter((line) => line !== false)
    .map((text) => ({ kind: 'text', text, look: 'strong' }));
  const isWhole =
    receipt.refunded === receipt.amount && refunds.every(({ state }) => state === 'done');
  if (isWhole) blocks.push({ kind: 'text', text: words.refunded, look: 'notice' });
  return blocks;
}

function credited({ amount, bonus }: Receipt, words: PaperTexts['receipt']): Block[] {
  return [
    { kind: 'heading', text: words.credited },
    {
      kind: 'table',
      columns: [
        { title: words.line, width: 0.7 },
        { title: words.sum, width: 0.3, align: 'right' },
      ],
      rows: [
        { cells: [words.topup, tenge(amount)] },
        ...(bonus > 0 ? [{ cells: [words.bonus, tenge(bonus)] }] : []),
        { cells: [words.total, tenge(amount + bonus)], isStrong: true },
      ],
    },
  ];
}

function qrLines({ receipt, checkUrl }: ReceiptFacts, words: PaperTexts['receipt']): string[] {
  const { fiscal_number, fiscal_url } = receipt;
  return [
    words.check,
    checkUrl,
    ...(fiscal_number === null ? [] : [words.fiscal(fiscal_number)]),
    ...(fiscal_url === null ? [] : [fiscal_url]),
  ];
}
