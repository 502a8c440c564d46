import type { PaperKind, PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { findCompany } from '../company/company-store.ts';
import type { CompanyId } from '../ids.ts';
import { letterOf } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import { Problem } from '../problem.ts';
import type { Month } from './month.ts';
import {
  type Ctx,
  drawAct,
  drawInvoice,
  drawReceipt,
  type PaperFile,
  receiptUrl,
} from './paper-file.ts';

export type PaperToSend = {
  companyId: CompanyId;
  kind: PaperKind;
  /** The number of a receipt, the id of an order, or the month of an act. */
  id: string;
  email: string;
  lang: PaperLang;
};

/**
 * Sends a paper by letter and records it. Throws `not_found` where no letters are sent or there is no
 * such paper.
 */
export async function sendPaper(
  ctx: Ctx,
  mailer: Mailer,
  paper: PaperToSend,
  actor: Actor,
): Promise<void> {
  if (!mailer.isOn) throw new Problem('not_found');
  const files = await draw(ctx, paper);
  const { companyId, kind, id, email, lang } = paper;
  const [{ title } = { title: '' }] = files;
  const company = await findCompany(ctx.db, companyId);
  await ctx.db.transaction((tx) =>
    recordAuditEvent(tx, actor, {
      companyId,
      action: 'paper.sent',
      object: title,
      after: { email },
    }),
  );
  const link = kind === 'receipt' ? receiptUrl(ctx, Number(id)) : `${ctx.urls.publicUrl}/`;
  mailer.send({
    ...letterOf(kind === 'receipt' ? 'receipt' : 'paper', lang, {
      to: email,
      link,
      company: company?.name ?? '',
      paper: title,
    }),
    attachments: files.map(({ name, type, bytes }) => ({ name, type, bytes })),
  });
}

async function draw(ctx: Ctx, { companyId, kind, id, lang }: PaperToSend): Promise<PaperFile[]> {
  const owner = { companyId, lang };
  switch (kind) {
    case 'receipt':
      return [await drawReceipt(ctx, owner, readNumber(id))];
    case 'invoice':
      return [await drawInvoice(ctx, owner, id)];
    case 'act': {
      const month = readMonth(id);
      return [
        await drawAct(ctx, owner, { month, format: 'pdf' }),
        await drawAct(ctx, owner, { month, format: 'xlsx' }),
      ];
    }
  }
}

export function readNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Problem('not_found');
  return Number(text);
}

function readMonth(text: string): Month {
  if (!/^20\d\d-(?:0[1-9]|1[0-2])$/.test(text)) throw new Problem('not_found');
  return text as Month;
}
