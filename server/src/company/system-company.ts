import { postEntry } from '../billing/ledger-store.ts';
import type { Context } from '../context.ts';
import { perDatabase } from '../db/per-database.ts';
import { type CompanyId, newId } from '../ids.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { createKey } from '../keys/create-key.ts';
import { readKey } from '../keys/find-key.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { readFact, rememberFact } from './company-store.ts';
import { insertCompanyWithAccount, namedCompany } from './create-company.ts';

const SYSTEM_FACT = 'system_company';
const KEY_NAME = 'Вход в кабинет';
/** No customer pays for a sign-in: the operator's own account, funded once and for good. */
const SYSTEM_FUNDS = 1_000_000_000;

type Ctx = Pick<Context, 'db' | 'clock' | 'channels'>;

const opened = perDatabase(() => new Map<boolean, Promise<ApiKey['id']>>());

/**
 * The key that Zhiber itself sends with, of a company that has no members and is listed nowhere. It
 * is made when it is first needed. In a sandbox it is a test key: nothing leaves, nothing is charged.
 */
export async function systemKey(ctx: Ctx): Promise<ApiKey> {
  const isTest = ctx.channels.isSandbox;
  const keys = opened(ctx.db);
  let opening = keys.get(isTest);
  if (opening === undefined) {
    opening = openKey(ctx, isTest);
    keys.set(isTest, opening);
    opening.catch(() => keys.delete(isTest));
  }
  return await readKey(ctx.db, await opening);
}

async function openKey(ctx: Ctx, isTest: boolean): Promise<ApiKey['id']> {
  const known = await readFact(ctx.db, SYSTEM_FACT);
  const companyId = known === undefined ? await createSystemCompany(ctx) : Number(known);
  const key = { companyId: companyId as CompanyId, name: KEY_NAME, isTest };
  const found = await findKeyByName(ctx.db, key);
  return found ?? (await createKey(ctx.db, { ...key, brand: 'Zhiber' })).keyId;
}

/** Two servers at once make two, and both use the one that was remembered first. */
async function createSystemCompany(ctx: Ctx): Promise<number> {
  const companyId = await ctx.db.transaction(async (tx) => {
    const id = await insertCompanyWithAccount(tx, namedCompany('Zhiber'));
    const cause = newId(ctx.clock.now().getTime());
    await postEntry(tx, { companyId: id, kind: 'correction', amount: SYSTEM_FUNDS, cause });
    return id;
  });
  return Number(await rememberFact(ctx.db, SYSTEM_FACT, String(companyId)));
}
