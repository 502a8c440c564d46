import { createCompany } from '../company/create-company.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { createKey, rotateKey } from '../keys/manage-keys.ts';
import { topUp } from '../topups/top-up.ts';
import { findFact, storeFactOnce } from './fact-store.ts';

export type DemoKeys = { live: string; test: string };

const DEMO_FACT = 'demo_company';
/** Set once the samples of the demo have been played in the cabinet. */
const CABINET_DEMO_FACT = 'demo_samples';
const DEMO_NAME = 'Демо-компания';
const PAGE_KEY_NAME = 'Страница /try';
const DEMO_TOPUP = 10_000;

/**
 * On the first start of a sandbox: creates a company with tokens, a live and a test key, and
 * returns the keys this once. Later starts find the company and return no keys.
 */
export async function openDemo(ctx: Context): Promise<DemoKeys | undefined> {
  const known = await findFact(ctx.db, DEMO_FACT);
  const first = known === undefined ? await createDemo(ctx) : undefined;
  const companyId = first?.companyId ?? (Number(known) as CompanyId);
  ctx.demo = {
    companyId,
    name: DEMO_NAME,
    keys: {
      test: await issuePageKey(ctx, companyId, true),
      live: await issuePageKey(ctx, companyId, false),
    },
  };
  return first?.keys;
}

/**
 * The fact is stored last: a start that dies half-way leaves an unused company, and the next start
 * makes another.
 */
async function createDemo(ctx: Context): Promise<{ companyId: CompanyId; keys: DemoKeys }> {
  const { companyId } = await createCompany(ctx, DEMO_NAME);
  await topUp(ctx, { companyId, amount: Math.max(DEMO_TOPUP, ctx.config.topupMin) });
  const live = await createKey(ctx.db, { companyId, name: 'Первый ключ', isTest: false });
  const test = await createKey(ctx.db, { companyId, name: 'Первый тестовый ключ', isTest: true });
  await storeFactOnce(ctx.db, DEMO_FACT, String(companyId));
  return { companyId, keys: { live: live.key, test: test.key } };
}

/** The page needs the text of its key, which is never stored: so each start rotates the key. */
async function issuePageKey(ctx: Context, companyId: CompanyId, isTest: boolean): Promise<string> {
  const name = PAGE_KEY_NAME;
  const known = await findKeyByName(ctx.db, { companyId, name, isTest });
  const rotated = known === undefined ? undefined : await rotateKey(ctx.db, known, 0);
  return rotated?.key ?? (await createKey(ctx.db, { companyId, name, isTest })).key;
}

/** True for the first caller only: the samples of the demo are played once. */
export async function claimDemoSamples({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<boolean> {
  const mark = newId(clock.now().getTime());
  return (await storeFactOnce(db, CABINET_DEMO_FACT, mark)) === mark;
}
