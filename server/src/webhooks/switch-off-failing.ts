import { RIGHTS } from '@zhiber/contract/cabinet/rights.ts';
import type { Lang } from '@zhiber/contract/languages.ts';
import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import { letterOf } from '../mail/letters.ts';
import type { Mailer } from '../mail/mailer.ts';
import {
  type EndpointRef,
  listEndpointMembers,
  lockEndpoint,
  lockEndpoints,
  readCompanyName,
  setSwitch,
} from './endpoint-store.ts';
import { skipWaiting } from './replay-webhook.ts';

export type SwitchOff = EndpointRef & { reason: 'failing' | 'gone' };

/**
 * Switches off an endpoint that does not work, and writes to everybody who may repair it. Of several
 * tries that end at once, one does it.
 */
export async function switchOffFailing(
  ctx: Pick<Context, 'db' | 'urls' | 'log'>,
  mailer: Pick<Mailer, 'isOn' | 'send'>,
  { reason, ...ref }: SwitchOff,
): Promise<boolean> {
  const { companyId } = ref;
  const url = await ctx.db.transaction(async (tx) => {
    await lockEndpoints(tx, companyId);
    const endpoint = await lockEndpoint(tx, ref);
    // A success, or a person, may have been faster.
    const isFailing = reason === 'gone' || endpoint?.failingSince !== null;
    if (endpoint === undefined || endpoint.offAt !== null || !isFailing) return undefined;
    await setSwitch(tx, ref, reason);
    await recordAuditEvent(
      tx,
      {},
      {
        companyId,
        action: 'webhook.switched_off',
        object: endpoint.url,
        after: { reason },
      },
    );
    return endpoint.url;
  });
  if (url === undefined) return false;
  await skipWaiting(ctx, ref.id);
  ctx.log.warn({ company_id: companyId, webhook_id: ref.id, reason }, 'webhook switched off');
  if (mailer.isOn) {
    const company = await readCompanyName(ctx.db, companyId);
    const members = await listEndpointMembers(ctx.db, companyId, RIGHTS['webhooks.change']);
    for (const { email: to, language } of members) {
      const lang: Lang = language === 'kk' ? 'kk' : 'ru';
      const link = `${ctx.urls.publicUrl}/app/webhooks/${ref.id}`;
      mailer.send(letterOf('webhook_off', lang, { to, link, company, address: url }));
    }
  }
  return true;
}
