import { correctBalance } from '../billing/correct-balance.ts';
import { insertCompanyWithAccount, namedCompany } from '../company/create-company.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { createKey } from '../keys/manage-keys.ts';
import { createLazy } from '../runtime/cache.ts';
import { findFact, lockFact, storeFactOnce } from './fact-store.ts';

const SYSTEM_FACT = 'system_company';
const KEY_NAME = 'Вход в кабинет';
/**
 * Sign-ins are not charged to customers: they are paid from this account of the operator, funded
 * once.
 */
const SYSTEM_FUNDS = 1_000_000_000;
const FUNDS_REASON = 'Коды входа в кабинет оплачивает оператор';

type Ctx = Pick<Context, 'db' | 'clock' | 'channels' | 'keys'>;

/**
 * The key that Zhiber itself sends with. Its company has no members and is not listed. It is
 * created on first use. In a sandbox it is a test key: nothing is sent out, nothing is charged.
 */
export function openSystemKey(ctx: Ctx): () => Promise<ApiKey> {
  const open = createLazy(() => findOrCreateKey(ctx));
  return async () => await ctx.keys.read(await open());
}

async function findOrCreateKey(ctx: Ctx): Promise<ApiKey['id']> {
  const isTest = ctx.channels.isSandbox;
  const key = { companyId: await openSystemCompany(ctx), name: KEY_NAME, isTest };
  const found = await findKeyByName(ctx.db, key);
  return found ?? (await createKey(ctx.db, { ...key, brand: 'Zhiber' })).keyId;
}

/** The company of the installation itself, created on first use. */
export async function openSystemCompany(ctx: Pick<Context, 'db' | 'clock'>): Promise<CompanyId> {
  const known = await findFact(ctx.db, SYSTEM_FACT);
  return (known === undefined ? await createSystemCompany(ctx) : Number(known)) as CompanyId;
}

/** Of several nodes that need it at once, one creates it. */
async function createSystemCompany(ctx: Pick<Context, 'db' | 'clock'>): Promise<number> {
  return await ctx.db.transaction(async (tx) => {
    await lockFact(tx, SYSTEM_FACT);
    const known = await findFact(tx, SYSTEM_FACT);
    if (known !== undefined) return Number(known);
    const id = await insertCompanyWithAccount(tx, namedCompany('Zhiber'));
    const cause = newId(ctx.clock.now().getTime());
    await correctBalance(tx, { companyId: id, amount: SYSTEM_FUNDS, cause, reason: FUNDS_REASON });
    return Number(await storeFactOnce(tx, SYSTEM_FACT, String(id)));
  });
}
