import type { PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import type { Block, Sheet } from '../pdf/sheet.ts';
import type { Order } from '../topups/order-store.ts';
import { figures, figuresWithTiyn, inWords, longDate, shortDate, tenge } from './paper-format.ts';
import { PAPER_TEXTS, type PaperTexts } from './paper-texts.ts';
import { withBusinessId } from './receipt-sheet.ts';
import { type Seller, vatIn } from './seller.ts';

export type BankedSeller = Seller & { bank: NonNullable<Seller['bank']> };

/** An invoice for an order: what to pay, to whom, and by which reference it is recognised. */
export function invoiceSheet(
  { order, seller }: { order: Order; seller: BankedSeller },
  lang: PaperLang,
): Sheet {
  const texts = PAPER_TEXTS[lang];
  const words = texts.invoice;
  const title = words.title(order.reference);
  const buyer = { name: order.payer_name, businessId: order.payer_business_id };
  return {
    title,
    author: seller.name,
    language: lang,
    createdAt: order.created_at,
    banner: seller.isSample ? texts.sandbox : undefined,
    foot: `${texts.foot} · ${title}`,
    page: texts.page,
    blocks: [
      requisites(seller, texts),
      { kind: 'title', text: title, note: words.dated(longDate(order.created_at, lang)) },
      {
        kind: 'facts',
        rows: [
          { name: words.seller, value: withBusinessId(seller, texts) },
          { name: texts.address, value: seller.address },
          { name: words.buyer, value: withBusinessId(buyer, texts) },
        ],
      },
      services({ order, seller }, texts),
      {
        kind: 'facts',
        rows: [
          { name: words.words, value: tenge(order.amount), isStrong: true },
          { name: '', value: inWords(order.amount, lang) },
          { name: words.purpose, value: words.purposeText(order.reference) },
        ],
      },
      { kind: 'text', text: words.keepReference, look: 'strong' },
      { kind: 'text', text: words.until(shortDate(order.expires_at)) },
      {
        kind: 'signatures',
        parties: [{ role: words.executor, name: seller.name, signature: words.signature }],
      },
    ],
  };
}

function requisites(seller: BankedSeller, texts: PaperTexts): Block {
  const { invoice: words, businessId } = texts;
  const { bank } = seller;
  return {
    kind: 'boxes',
    rows: [
      [
        {
          width: 0.52,
          name: words.beneficiary,
          value: `${seller.name}\n${businessId} ${seller.businessId}`,
        },
        { width: 0.36, name: words.iban, value: bank.iban },
        { width: 0.12, name: words.kbe, value: seller.kbe },
      ],
      [
        { width: 0.52, name: words.bank, value: bank.name },
        { width: 0.2, name: words.bic, value: bank.bic },
        { width: 0.28, name: words.knp, value: seller.knp },
      ],
    ],
  };
}

function services(
  { order, seller }: { order: Order; seller: Seller },
  { invoice: words, withoutVat, vat }: PaperTexts,
): Block {
  const { columns } = words;
  const sum = figures(order.amount);
  return {
    kind: 'table',
    columns: [
      { title: columns.number, width: 0.06, align: 'center' },
      { title: columns.name, width: 0.44 },
      { title: columns.count, width: 0.1, align: 'right' },
      { title: columns.unit, width: 0.1, align: 'center' },
      { title: columns.price, width: 0.15, align: 'right' },
      { title: columns.sum, width: 0.15, align: 'right' },
    ],
    rows: [
      { cells: ['1', words.service, '1', words.unit, sum, sum] },
      { cells: ['', words.total, '', '', '', sum], isStrong: true },
      seller.vat === null
        ? { cells: ['', withoutVat, '', '', '', '—'] }
        : {
            cells: [
              '',
              vat(seller.vat),
              '',
              '',
              '',
              figuresWithTiyn(vatIn(order.amount, seller.vat)),
            ],
          },
    ],
  };
}
