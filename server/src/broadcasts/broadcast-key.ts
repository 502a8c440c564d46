import { randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';

/** Temporary. */
export async function readBroadcastKey(
  ctx: Pick<Context, 'db' | 'keys'>,
  companyId: CompanyId,
): Promise<ApiKey> {
  await ctx.db.query(
    `insert into api_key (company_id, name, is_test, secret_hash, shown_start, shown_end, channels, code_length,
       code_ttl_seconds, fallback_seconds, language, is_for_broadcasts)
     values ($1, 'Рассылки', false, $2, '', '', '{whatsapp,telegram,sms}', 6, 300, 120, 'ru', true)
     on conflict (company_id) where is_for_broadcasts do nothing`,
    [companyId, randomBytes(32)],
  );
  const rows = await ctx.db.query<{ id: ApiKey['id'] }>(
    'select id from api_key where company_id = $1 and is_for_broadcasts',
    [companyId],
  );
  return await ctx.keys.read((rows[0] as { id: ApiKey['id'] }).id);
}
