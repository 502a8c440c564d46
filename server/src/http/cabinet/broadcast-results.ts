import type { BROADCAST_RESULT_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-results.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { exportRecipients } from '../../broadcasts/results/export-recipients.ts';
import { repeatFailed } from '../../broadcasts/results/repeat-failed.ts';
import { listRecipients, readResults } from '../../broadcasts/results/results.ts';
import { maskPhone, type Phone } from '../../phone.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';
import { sendExport } from './send-export.ts';

export const BROADCAST_RESULT_HANDLERS: HandlersOf<typeof BROADCAST_RESULT_ENDPOINTS> = {
  async results({ ctx }, { companyId, role, params }) {
    const results = await readResults(ctx, companyId, params.id ?? '');
    return {
      success: true,
      progress: results.progress,
      step: results.step,
      times: results.times.map((bucket) => ({ ...bucket, at: bucket.at.toISOString() })),
      reasons: results.reasons,
      last_failures: results.lastFailures.map(({ at, phone, ...failure }) => ({
        ...failure,
        phone: shownPhone(phone, role),
        at: at.toISOString(),
      })),
    };
  },

  async recipients({ ctx }, { companyId, role, params, query }) {
    const { cursor, outcome, clicked } = query;
    const isClicked = clicked === undefined ? undefined : clicked === 'yes';
    const page = await listRecipients(
      ctx,
      { companyId, id: params.id ?? '' },
      { cursor, outcome, clicked: isClicked },
    );
    return {
      success: true,
      rows: page.rows.map(({ cells: _, phone, sent_at, clicked_at, ...recipient }) => ({
        ...recipient,
        phone: shownPhone(phone, role),
        sent_at: sent_at?.toISOString() ?? null,
        clicked_at: clicked_at?.toISOString() ?? null,
      })),
      next: page.next,
    };
  },

  async exportRecipients({ ctx }, call) {
    const { companyId, params, user, origin, reply } = call;
    const { which, format, lang = 'ru' } = call.query;
    const actor = actorOf(user, origin);
    const request = { companyId, id: params.id ?? '', which, format, lang, actor };
    const content = await exportRecipients(ctx, request);
    return sendExport(reply, {
      name: `recipients-${which}`,
      format,
      now: ctx.clock.now(),
      content,
    });
  },

  async repeatFailed({ ctx }, { companyId, params, user, origin }) {
    const source = { companyId, id: params.id ?? '' };
    return { success: true, id: await repeatFailed(ctx, actorOf(user, origin), source) };
  },
};

/** Whoever makes broadcasts has brought the phones, and sees them in full. */
function shownPhone(phone: Phone, role: Role): string {
  const isShown = hasRight(role, 'broadcasts.change') || hasRight(role, 'phones.see');
  return isShown ? `+${phone}` : maskPhone(phone);
}
