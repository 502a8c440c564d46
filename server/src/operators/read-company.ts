import { type GuardDecision, listDecisions } from '../abuse/guard-store.ts';
import { almatyDay } from '../almaty.ts';
import { listPrices, type PriceList } from '../billing/manage-prices.ts';
import { findListedCompany, type ListedCompany } from '../company/company-list-store.ts';
import { findCompany, type StoredCompany } from '../company/company-store.ts';
import { listSenderNames } from '../company/sender-name-store.ts';
import { listMembers, type StoredMember } from '../company/team-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import type { OwnKey } from '../keys/key-store.ts';
import { listKeys } from '../keys/manage-keys.ts';
import { Problem } from '../problem.ts';
import { type ListedPayment, listPayments } from '../topups/payment-list-store.ts';
import {
  type CodeCounts,
  type CompanyState,
  countCodes,
  type FoundCompany,
  findCompanies,
  findCustomerName,
  readSpending,
  type Spending,
  searchCompanies,
} from './company-store.ts';
import { readCompanyTerms } from './company-terms.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

const PAGE_SIZE = 50;
const DAY_MS = 24 * 3_600_000;

/** A page of the customers that match what was typed, or of all. */
export async function listCompanies(
  { db, clock }: Ctx,
  filter: {
    search?: string | undefined;
    state?: CompanyState | undefined;
    cursor?: string | undefined;
  },
): Promise<{ companies: FoundCompany[]; next: string | null }> {
  const page = {
    since: almatyDay(clock.now(), -6),
    state: filter.state,
    after: readCursor(filter.cursor),
    rowsMax: PAGE_SIZE + 1,
  };
  const typed = filter.search?.trim() ?? '';
  const found =
    typed === ''
      ? await findCompanies(db, page)
      : await searchCompanies(db, readCompanyTerms(typed), page);
  const companies = found.slice(0, PAGE_SIZE);
  const last = companies.at(-1);
  const hasMore = found.length > PAGE_SIZE && last !== undefined;
  return { companies, next: hasMore ? `${last.rank}.${last.id}` : null };
}

function readCursor(text: string | undefined): { rank: number; id: number } | undefined {
  if (text === undefined) return undefined;
  const [, rank, id] = /^([01])\.([1-9]\d{0,14})$/.exec(text) ?? [];
  if (rank !== undefined && id !== undefined) return { rank: Number(rank), id: Number(id) };
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

/** The name of a customer. The company of the installation itself is `not_found`. */
export async function readCustomerName(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
): Promise<string> {
  const name = await findCustomerName(db, companyId);
  if (name === undefined) throw new Problem('not_found');
  return name;
}

const DECISIONS_SHOWN = 20;
const TOPUPS_SHOWN = 10;

export type CompanyDetails = {
  company: ListedCompany & StoredCompany;
  spent: Spending;
  members: StoredMember[];
  keys: OwnKey[];
  codes: CodeCounts;
  decisions: GuardDecision[];
  prices: PriceList;
  senderNames: string[];
  topups: ListedPayment[];
};

/** Everything about a customer on one page. Days are those of Almaty and include the current one. */
export async function readCompanyDetails(ctx: Ctx, companyId: CompanyId): Promise<CompanyDetails> {
  await readCustomerName(ctx, companyId);
  const { db, clock } = ctx;
  const now = clock.now();
  const since = { today: almatyDay(now), week: almatyDay(now, -6), month: almatyDay(now, -29) };
  const [listed, stored, spent, members, keys, codes, decisions, prices, senders, topups] =
    await Promise.all([
      findListedCompany(db, companyId),
      findCompany(db, companyId),
      readSpending(db, companyId, since),
      listMembers(db, companyId),
      listKeys(ctx, companyId),
      countCodes(db, companyId, new Date(now.getTime() - DAY_MS)),
      listDecisions(db, { companyId, max: DECISIONS_SHOWN }),
      listPrices(ctx, { companyId }),
      listSenderNames(db),
      listPayments(db, { companyId, rowsMax: TOPUPS_SHOWN }),
    ]);
  return {
    company: { ...(listed as ListedCompany), ...(stored as StoredCompany) },
    spent,
    members,
    keys,
    codes,
    decisions,
    prices,
    senderNames: senders.map(({ name }) => name),
    topups,
  };
}
