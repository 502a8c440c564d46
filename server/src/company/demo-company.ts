import { topUp } from '../billing/top-up.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { createKey } from '../keys/create-key.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { rotateKey } from '../keys/rotate-key.ts';
import { readFact, rememberFact } from './company-store.ts';
import { createCompany } from './create-company.ts';

export type Demo = {
  companyId: CompanyId;
  name: string;
  /** Keys of the page with the virtual phone; their texts live in this process alone. */
  keys: { test: string; live: string };
};

export type DemoKeys = { live: string; test: string };

const DEMO_FACT = 'demo_company';
/** Whose samples have been played, for the pages of the cabinet. */
export const CABINET_DEMO_FACT = 'demo_samples';
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
export async function openDemo(ctx: Context): Promise<DemoKeys | undefined> {
  const known = await readFact(ctx.db, DEMO_FACT);
  const first = known === undefined ? await createDemo(ctx) : undefined;
  const companyId = first?.companyId ?? (Number(known) as CompanyId);
  demos.set(ctx.db, {
    companyId,
    name: DEMO_NAME,
    keys: {
      test: await freshPageKey(ctx, companyId, true),
      live: await freshPageKey(ctx, companyId, false),
    },
  });
  return first?.keys;
}

/** Remembered last: a start that dies half-way leaves a company nobody misses, and makes another. */
async function createDemo(ctx: Context): Promise<{ companyId: CompanyId; keys: DemoKeys }> {
  const { companyId } = await createCompany(ctx, DEMO_NAME);
  await topUp(ctx, { companyId, amount: Math.max(DEMO_TOPUP, ctx.config.topupMin) });
  const live = await createKey(ctx.db, { companyId, name: 'Первый ключ', isTest: false });
  const test = await createKey(ctx.db, { companyId, name: 'Первый тестовый ключ', isTest: true });
  await rememberFact(ctx.db, DEMO_FACT, String(companyId));
  return { companyId, keys: { live: live.key, test: test.key } };
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
