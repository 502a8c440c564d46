import { topUp } from '../billing/top-up.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { createKey } from '../keys/create-key.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { rotateKey } from '../keys/rotate-key.ts';
import { findCompany, hasCompanies, readFact, rememberFact } from './company-store.ts';
import { createCompany } from './create-company.ts';

export type Demo = {
  companyId: CompanyId;
  name: string;
  /** Keys of the page with the virtual phone; their texts live in this process alone. */
  keys: { test: string; live: string };
};

export type DemoKeys = { live: string; test: string };

const DEMO_FACT = 'demo_company';
const DEMO_NAME = 'Демо-компания';
const PAGE_KEY_NAME = 'Страница /try';
const DEMO_TOPUP = 10_000;

const demos = new WeakMap<Database, Demo>();

/** The demo company of a sandbox, once it has been opened. */
export function findDemo({ db }: Pick<Context, 'db'>): Demo | undefined {
  return demos.get(db);
}

/**
 * On the very first start of a sandbox: a company with money to play with, a live and a test key,
 * returned this once. Later starts know the company and return no keys.
 */
export async function openDemo(ctx: Context): Promise<{ isFirst: boolean; keys?: DemoKeys }> {
  const known = await readFact(ctx.db, DEMO_FACT);
  if (known === undefined && (await hasCompanies(ctx.db))) return { isFirst: false };
  const companyId = known === undefined ? await createDemo(ctx) : (Number(known) as CompanyId);
  const company = await findCompany(ctx.db, companyId);
  if (company === undefined) return { isFirst: false };

  demos.set(ctx.db, {
    companyId,
    name: company.name,
    keys: {
      test: await freshPageKey(ctx, companyId, true),
      live: await freshPageKey(ctx, companyId, false),
    },
  });
  if (known !== undefined) return { isFirst: false };
  const live = await createKey(ctx.db, { companyId, name: 'Первый ключ', isTest: false });
  const test = await createKey(ctx.db, { companyId, name: 'Первый тестовый ключ', isTest: true });
  return { isFirst: true, keys: { live: live.key, test: test.key } };
}

async function createDemo(ctx: Context): Promise<CompanyId> {
  const { companyId } = await createCompany(ctx, DEMO_NAME);
  const amount = Math.max(DEMO_TOPUP, ctx.config.topupMin);
  await topUp(ctx, { companyId, amount });
  await rememberFact(ctx.db, DEMO_FACT, String(companyId));
  return companyId;
}

/**
 * The page needs the text of its key, and no text is ever kept: so each start gives its key a new
 * one.
 */
async function freshPageKey(ctx: Context, companyId: CompanyId, isTest: boolean): Promise<string> {
  const name = PAGE_KEY_NAME;
  const known = await findKeyByName(ctx.db, { companyId, name, isTest });
  const rotated = known === undefined ? undefined : await rotateKey(ctx.db, known, 0);
  return rotated?.key ?? (await createKey(ctx.db, { companyId, name, isTest })).key;
}
