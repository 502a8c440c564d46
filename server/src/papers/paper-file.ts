import type { ActFormat, PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import type { Context } from '../context.ts';
import { type CompanyId, isId } from '../ids.ts';
import { BYTE_ORDER_MARK, csvLine } from '../messages/export-messages.ts';
import { xlsx } from '../messages/xlsx.ts';
import { paperNumber } from '../paper-number.ts';
import { Problem } from '../problem.ts';
import { findOrder, type OrderState } from '../topups/order-store.ts';
import { actRows, actSheet } from './act-sheet.ts';
import { invoiceSheet } from './invoice-sheet.ts';
import type { Month } from './month.ts';
import { PAPER_TEXTS } from './paper-texts.ts';
import { readAct, readNumberedAct } from './read-act.ts';
import { receiptCode } from './receipt-code.ts';
import { receiptSheet } from './receipt-sheet.ts';
import { findReceipt, listRefundsOf, type Receipt } from './receipt-store.ts';
import { readSeller } from './seller.ts';

/** A paper as a file. */
export type PaperFile = {
  /** For people, in the language of the paper. */
  title: string;
  /** In ASCII. */
  name: string;
  type: string;
  bytes: Buffer;
};

export type Ctx = Pick<
  Context,
  'db' | 'clock' | 'config' | 'channels' | 'secrets' | 'urls' | 'sheets'
>;
type Owner = { companyId: CompanyId; lang: PaperLang };
/** An operator only looks: then no act gets its number. */
export type ActReader = Owner & { isViewed?: boolean };

const TYPES = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
} as const satisfies Record<ActFormat, string>;

/** The public page that confirms a receipt. */
export function receiptUrl(
  { secrets, urls }: Pick<Context, 'secrets' | 'urls'>,
  number: number,
): string {
  return `${urls.publicUrl}/receipt/${receiptCode(secrets, number)}`;
}

/** Throws `not_found` unless the company has it. */
export async function drawReceipt(
  ctx: Ctx,
  { companyId, lang }: Owner,
  number: number,
): Promise<PaperFile> {
  const receipt = await findReceipt(ctx.db, companyId, number);
  if (receipt === undefined) throw new Problem('not_found');
  return await drawReceiptOf(ctx, receipt, lang);
}

export async function drawReceiptOf(
  ctx: Ctx,
  receipt: Receipt,
  lang: PaperLang,
): Promise<PaperFile> {
  const sheet = receiptSheet(
    {
      receipt,
      refunds: await listRefundsOf(ctx.db, receipt.id),
      seller: readSeller(ctx),
      checkUrl: receiptUrl(ctx, receipt.number),
    },
    lang,
  );
  const name = `receipt-${paperNumber(receipt.number)}.pdf`;
  return { title: sheet.title, name, type: TYPES.pdf, bytes: await ctx.sheets.draw(sheet) };
}

/** Orders that can still be paid. */
const OPEN_STATES: readonly OrderState[] = ['pending', 'checking', 'manual'];

/**
 * Throws `not_found` for an order that the company does not have, `order_closed` for one that is
 * paid, expired or cancelled, and `seller_unknown` where there is no bank account to pay to.
 */
export async function drawInvoice(
  ctx: Ctx,
  { companyId, lang }: Owner,
  orderId: string,
): Promise<PaperFile> {
  const order = isId(orderId) ? await findOrder(ctx.db, companyId, orderId) : undefined;
  if (order === undefined) throw new Problem('not_found');
  if (!OPEN_STATES.includes(order.state)) throw new Problem('order_closed');
  const seller = readSeller(ctx);
  if (seller.bank === null) throw new Problem('seller_unknown');
  const sheet = invoiceSheet({ order, seller: { ...seller, bank: seller.bank } }, lang);
  const name = `invoice-${order.reference}.pdf`;
  return { title: sheet.title, name, type: TYPES.pdf, bytes: await ctx.sheets.draw(sheet) };
}

/** Throws as `readAct` and `readNumberedAct` do. */
export async function drawAct(
  ctx: Ctx,
  { companyId, lang, isViewed = false }: ActReader,
  { month, format }: { month: Month; format: ActFormat },
): Promise<PaperFile> {
  const act = await (isViewed ? readNumberedAct : readAct)(ctx, companyId, month);
  const sheet = actSheet(act, lang);
  const bytes = {
    pdf: () => ctx.sheets.draw(sheet),
    xlsx: async () =>
      Buffer.concat(await Array.fromAsync(xlsx(PAPER_TEXTS[lang].act.table.sheet, rows()))),
    csv: async () =>
      Buffer.from(
        BYTE_ORDER_MARK +
          actRows(act, lang)
            .map((cells) => csvLine(cells, ';'))
            .join(''),
      ),
  };
  async function* rows() {
    yield* actRows(act, lang);
  }
  return {
    title: sheet.title,
    name: `act-${month}.${format}`,
    type: TYPES[format],
    bytes: await bytes[format](),
  };
}
