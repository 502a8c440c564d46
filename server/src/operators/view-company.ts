import { VIEW_MINUTES } from '@zhiber/contract/admin/companies.ts';
import { sessionCookie } from '../accounts/session-cookie.ts';
import { replaceView } from '../accounts/view-store.ts';
import { almatyTime } from '../almaty.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import { companyActorOf } from '../audit-log/company-actor.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { newToken } from '../token.ts';
import type { CurrentOperator } from './current-operator.ts';
import { readCustomerName } from './read-company.ts';

/**
 * Opens the cabinet of a company for an operator to read. The audit log of the company has it before
 * the browser gets the cookie, so before the first page. It ends with the operator's session.
 */
export async function viewCompany(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { operator, actor }: { operator: CurrentOperator; actor: Actor },
  companyId: CompanyId,
): Promise<{ cookie: string; endsAt: Date }> {
  const name = await readCustomerName(ctx, companyId);
  const { token, hash: tokenHash } = newToken();
  const { endsAt } = await ctx.db.transaction(async (tx) => {
    const view = await replaceView(tx, {
      id: newId(ctx.clock.now().getTime()),
      tokenHash,
      operatorSessionId: operator.sessionId,
      companyId,
      minutes: VIEW_MINUTES,
    });
    if (view === undefined) throw new Problem('not_signed_in');
    const after = { until: almatyTime(view.endsAt) };
    const seen = { companyId, action: 'company.viewed', object: operator.name, after } as const;
    await recordAuditEvent(tx, companyActorOf(actor), seen);
    await recordOperatorAct(tx, actor, { ...seen, object: name });
    return view;
  });
  const seconds = VIEW_MINUTES * 60;
  return { cookie: sessionCookie(ctx.config, { token, seconds }, 'view'), endsAt };
}
