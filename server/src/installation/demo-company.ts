import { FIRST_TOPUP_BONUS, WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { almatyDay, almatyTime, HOUR_MS } from '../almaty.ts';
import { insertCompanyWithAccount, namedCompany } from '../company/create-company.ts';
import type { Context } from '../context.ts';
import { type CompanyId, newId } from '../ids.ts';
import { findKeyByName } from '../keys/key-store.ts';
import { createKey, rotateKey } from '../keys/manage-keys.ts';
import {
  insertPastAuditEvents,
  insertPastPayments,
  type PastPayment,
  postPastEntries,
  setDemoStart,
} from './demo-money-store.ts';
import { findFact, storeFactOnce } from './fact-store.ts';

export type DemoKeys = { live: string; test: string };

const DEMO_FACT = 'demo_company';
const DEMO_NAME = 'Демо-компания';
const PAGE_KEY_NAME = 'Страница /try';
const DEMO_PAYER = 'ТОО «Ромашка»';
const DEMO_TOPUP = 10_000;
/** How long ago the company came, and at what hour. */
const DEMO_DAYS = 33;
const START_HOUR = 11;
const BY_OPERATOR = { personId: null, personName: null } as const;

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
 * makes another. The company came a month ago, so that the history of its first visit has a past to
 * stand in: entries of the ledger are never put between others.
 */
async function createDemo(ctx: Context): Promise<{ companyId: CompanyId; keys: DemoKeys }> {
  const at = demoStart(ctx.clock.now());
  const amount = Math.max(DEMO_TOPUP, ctx.config.topupMin);
  const cause = newId(at.getTime());
  const companyId = await ctx.db.transaction(async (tx) => {
    const id = await insertCompanyWithAccount(tx, namedCompany(DEMO_NAME));
    await setDemoStart(tx, id, at);
    const entry = { cause, at, messages: 0 };
    await postPastEntries(tx, id, [
      { ...entry, kind: 'welcome_bonus', amount: WELCOME_BONUS },
      { ...entry, kind: 'topup', amount },
      { ...entry, kind: 'first_topup_bonus', amount: FIRST_TOPUP_BONUS },
    ]);
    await insertPastPayments(tx, id, [
      demoPayment({ id: cause, at, amount, bonus: FIRST_TOPUP_BONUS }),
    ]);
    await insertPastAuditEvents(tx, id, [
      { ...BY_OPERATOR, at, action: 'company.created', object: DEMO_NAME },
      {
        ...BY_OPERATOR,
        at,
        action: 'balance.topped_up',
        object: documentOn(at),
        after: { amount, bonus: FIRST_TOPUP_BONUS, provider: 'terminal' },
      },
    ]);
    return id;
  });
  const live = await createKey(ctx.db, { companyId, name: 'Первый ключ', isTest: false });
  const test = await createKey(ctx.db, { companyId, name: 'Первый тестовый ключ', isTest: true });
  await storeFactOnce(ctx.db, DEMO_FACT, String(companyId));
  return { companyId, keys: { live: live.key, test: test.key } };
}

/** Some days before the history, and in a month that has partitions: they begin with the last one. */
function demoStart(now: Date): Date {
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
  return new Date(Math.max(almatyDay(now, -DEMO_DAYS).getTime() + START_HOUR * HOUR_MS, month));
}

/** A payment of the demo company, by a bank transfer of that day. */
export function demoPayment(
  payment: Pick<PastPayment, 'id' | 'at' | 'amount' | 'bonus'>,
): PastPayment {
  return { ...payment, payerName: DEMO_PAYER, document: documentOn(payment.at) };
}

function documentOn(at: Date): string {
  return `ПП-${almatyTime(at).slice(2, 16).replaceAll(/\D/g, '')}`;
}

/** The page needs the text of its key, which is never stored: so each start rotates the key. */
async function issuePageKey(ctx: Context, companyId: CompanyId, isTest: boolean): Promise<string> {
  const name = PAGE_KEY_NAME;
  const known = await findKeyByName(ctx.db, { companyId, name, isTest });
  const rotated = known === undefined ? undefined : await rotateKey(ctx.db, known, 0);
  return rotated?.key ?? (await createKey(ctx.db, { companyId, name, isTest })).key;
}
