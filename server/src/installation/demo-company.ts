import { FIRST_TOPUP_BONUS, WELCOME_BONUS } from '@zhiber/contract/api/prices.ts';
import { almatyDay, almatyTime, HOUR_MS } from '../almaty.ts';
import { insertCompanyWithAccount, namedCompany } from '../company/create-company.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type CompanyId, newId } from '../ids.ts';
import { findKeyByHash, findKeyByName } from '../keys/key-store.ts';
import { keyTextOf } from '../keys/key-text.ts';
import { createKey, rotateKey } from '../keys/manage-keys.ts';
import { hashOfToken } from '../token.ts';
import {
  insertPastAuditEvents,
  insertPastPayments,
  type PastPayment,
  postPastEntries,
  setDemoStart,
} from './demo-money-store.ts';
import { findFact, lockFact, storeFactOnce } from './fact-store.ts';

export type DemoKeys = { live: string; test: string };

const DEMO_FACT = 'demo_company';
const DEMO_NAME = 'Демо-компания';
const PAGE_KEY_NAME = 'Страница /try';
/** Until then nodes of the release before go on with the key that they made at their start. */
const ROTATION_HOURS = 24;
const DEMO_PAYER = 'ТОО «Ромашка»';
const DEMO_TOPUP = 10_000;
/** How long ago the company came, and at what hour. */
const DEMO_DAYS = 33;
const START_HOUR = 11;
const BY_OPERATOR = { personId: null, personName: null } as const;

/**
 * On the first start of a sandbox: creates a company with tokens, a live and a test key, and
 * returns the keys this once. Later starts, and other nodes that start together with the first, find
 * the company and return no keys.
 */
export async function openDemo(ctx: Context): Promise<DemoKeys | undefined> {
  return await ctx.db.transaction(async (tx) => {
    await lockFact(tx, DEMO_FACT);
    const known = await findFact(tx, DEMO_FACT);
    const first = known === undefined ? await createDemo(ctx, tx) : undefined;
    const companyId = first?.companyId ?? (Number(known) as CompanyId);
    ctx.demo = {
      companyId,
      name: DEMO_NAME,
      keys: {
        test: await keepPageKey(ctx, tx, { companyId, isTest: true }),
        live: await keepPageKey(ctx, tx, { companyId, isTest: false }),
      },
    };
    return first?.keys;
  });
}

/**
 * The company came a month ago, so that the history of its first visit has a past to stand in:
 * entries of the ledger are never put between others.
 */
async function createDemo(
  ctx: Context,
  tx: Transaction,
): Promise<{ companyId: CompanyId; keys: DemoKeys }> {
  const at = demoStart(ctx.clock.now());
  const amount = Math.max(DEMO_TOPUP, ctx.config.topupMin);
  const cause = newId(at.getTime());
  const companyId = await insertCompanyWithAccount(tx, namedCompany(DEMO_NAME));
  await setDemoStart(tx, companyId, at);
  const entry = { cause, at, messages: 0 };
  await postPastEntries(tx, companyId, [
    { ...entry, kind: 'welcome_bonus', amount: WELCOME_BONUS },
    { ...entry, kind: 'topup', amount },
    { ...entry, kind: 'first_topup_bonus', amount: FIRST_TOPUP_BONUS },
  ]);
  await insertPastPayments(tx, companyId, [
    demoPayment({ id: cause, at, amount, bonus: FIRST_TOPUP_BONUS }),
  ]);
  await insertPastAuditEvents(tx, companyId, [
    { ...BY_OPERATOR, at, action: 'company.created', object: DEMO_NAME },
    {
      ...BY_OPERATOR,
      at,
      action: 'balance.topped_up',
      object: documentOn(at),
      after: { amount, bonus: FIRST_TOPUP_BONUS, provider: 'terminal' },
    },
  ]);
  const live = await createKey(tx, { companyId, name: 'Первый ключ', isTest: false });
  const test = await createKey(tx, { companyId, name: 'Первый тестовый ключ', isTest: true });
  await storeFactOnce(tx, DEMO_FACT, String(companyId));
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

/**
 * The page needs the text of its key, which is never stored: so every node derives the same one from
 * the secret of the installation. After a revocation it is the next one.
 */
async function keepPageKey(
  ctx: Context,
  tx: Transaction,
  { companyId, isTest }: { companyId: CompanyId; isTest: boolean },
): Promise<string> {
  for (let number = 0; ; number++) {
    const seed = JSON.stringify([PAGE_KEY_NAME, companyId, isTest, number]);
    const text = keyTextOf(ctx.secrets.bytesOfKey(seed), isTest);
    const found = await findKeyByHash(tx, hashOfToken(text));
    if (found?.key.isRevoked) continue;
    if (found === undefined || found.isPrevious) {
      const key = { companyId, name: PAGE_KEY_NAME, isTest };
      const known = await findKeyByName(tx, key);
      if (known === undefined) await createKey(tx, key, text);
      else await rotateKey(tx, known, ROTATION_HOURS, text);
    }
    return text;
  }
}
