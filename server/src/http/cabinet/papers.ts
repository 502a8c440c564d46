import type { PAPER_ENDPOINTS, ReceiptRow } from '@zhiber/contract/cabinet/papers.ts';
import type { FastifyReply } from 'fastify';
import { countAttempt } from '../../accounts/attempts.ts';
import type { Context } from '../../context.ts';
import { listPapers } from '../../papers/list-papers.ts';
import type { Month } from '../../papers/month.ts';
import { archiveMonth } from '../../papers/month-archive.ts';
import {
  drawAct,
  drawInvoice,
  drawReceipt,
  type PaperFile,
  receiptUrl,
} from '../../papers/paper-file.ts';
import type { Receipt } from '../../papers/receipt-store.ts';
import { sendPaper } from '../../papers/send-paper.ts';
import { actorOf, DONE, type HandlersOf, readId } from './endpoint.ts';

export const PAPER_HANDLERS: HandlersOf<typeof PAPER_ENDPOINTS> = {
  async papers({ ctx }, { companyId, query }) {
    const papers = await listPapers(ctx, companyId, query.month as Month | undefined);
    return {
      success: true,
      months: papers.months,
      month: papers.month,
      receipts: papers.receipts.map((receipt) => toRow(ctx, receipt)),
      paid: papers.receipts.reduce((total, { amount }) => total + amount, 0),
      spent: papers.spent,
      has_act: papers.isOver,
      act_number: papers.act?.number ?? null,
    };
  },

  async receiptFile({ ctx }, { companyId, params, query, reply }) {
    const { lang = 'ru' } = query;
    return sendFile(reply, await drawReceipt(ctx, { companyId, lang }, readId(params.number)));
  },
  async invoiceFile({ ctx }, { companyId, params, query, reply }) {
    const { lang = 'ru' } = query;
    const id = params.id?.toLowerCase() ?? '';
    return sendFile(reply, await drawInvoice(ctx, { companyId, lang }, id));
  },
  async actFile({ ctx }, { companyId, user, query, reply }) {
    const { lang = 'ru', format = 'pdf' } = query;
    const month = query.month as Month;
    const reader = { companyId, lang, isViewed: user.viewUntil !== undefined };
    return sendFile(reply, await drawAct(ctx, reader, { month, format }));
  },
  async monthFile({ ctx }, { companyId, user, query, reply, origin }) {
    const { lang = 'ru' } = query;
    const month = query.month as Month;
    const reader = { companyId, lang, isViewed: user.viewUntil !== undefined };
    const archive = await archiveMonth(ctx, actorOf(user, origin), reader, month);
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', `attachment; filename="papers-${month}.zip"`)
      .send(archive);
  },

  async sendPaper({ ctx, accounts }, { body, companyId, user, origin }) {
    const { personId } = user;
    const { lang = 'ru', ...paper } = body;
    await countAttempt(accounts, {
      what: 'paper',
      account: personId,
      company: companyId,
      address: origin.address,
    });
    await sendPaper(ctx, accounts.mailer, { companyId, lang, ...paper }, actorOf(user, origin));
    return DONE;
  },
};

/** The name is in ASCII for old programs, and in the language of the paper for all others. */
function sendFile(reply: FastifyReply, { name, title, type, bytes }: PaperFile): FastifyReply {
  const extension = name.slice(name.lastIndexOf('.'));
  const readable = encodeURIComponent(title.replaceAll(/[/\\]/g, '-') + extension);
  return reply
    .header('content-type', type)
    .header(
      'content-disposition',
      `attachment; filename="${name}"; filename*=UTF-8''${readable.replaceAll(/['()*]/g, escapeCharacter)}`,
    )
    .send(bytes);
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function toRow(ctx: Context, receipt: Receipt): ReceiptRow {
  return {
    number: receipt.number,
    paid_at: receipt.paid_at.toISOString(),
    credited_at: receipt.credited_at.toISOString(),
    amount: receipt.amount,
    bonus: receipt.bonus,
    refunded: receipt.refunded,
    way: receipt.provider,
    payer: receipt.payer_name ?? receipt.company_name,
    order_reference: receipt.order_reference,
    is_late: receipt.is_late,
    is_repeated: receipt.is_repeated,
    is_other_amount: receipt.is_other_amount,
    check_url: receiptUrl(ctx, receipt.number),
    fiscal_url: receipt.fiscal_url,
  };
}
