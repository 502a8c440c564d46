import {
  deletePardon,
  listPardons,
  listShownDecisions,
  type Pardon,
  putPardon,
  type ShownDecision,
} from '../abuse/guard-store.ts';
import { blockPerson } from '../accounts/block-person.ts';
import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { barHost, readHost } from '../links/bar-host.ts';
import { type BarredHost, listBarredHosts } from '../links/barred-host-store.ts';
import { Problem } from '../problem.ts';
import {
  type BlockedPerson,
  findPersonName,
  listBlockedPeople,
  listSuspendedCompanies,
  type SuspendedCompany,
} from './abuse-store.ts';

type Ctx = Pick<Context, 'db' | 'clock'>;

const DECISIONS_MAX = 200;

/** The newest decisions of the pumping guard, of one company or of all. */
export async function listGuardDecisions(
  { db }: Ctx,
  companyId: CompanyId | undefined,
): Promise<ShownDecision[]> {
  return await listShownDecisions(db, { companyId, max: DECISIONS_MAX });
}

export type Closures = {
  people: BlockedPerson[];
  companies: SuspendedCompany[];
  hosts: BarredHost[];
  pardons: Pardon[];
};

/** Everything that operators have closed, and what they let pass. */
export async function listClosures({ db }: Ctx): Promise<Closures> {
  return {
    people: await listBlockedPeople(db),
    companies: await listSuspendedCompanies(db),
    hosts: await listBarredHosts(db),
    pardons: await listPardons(db),
  };
}

export type NewPardon = { companyId: CompanyId; prefix: string; hours: number; reason: string };

/**
 * Lets the codes of a company to a prefix pass for some hours, whatever the guard thinks. Every node
 * knows it within two seconds.
 */
export async function pardonStream({ db }: Ctx, actor: Actor, pardon: NewPardon): Promise<Date> {
  const { companyId, prefix, hours, reason } = pardon;
  return await db.transaction(async (tx) => {
    const until = await putPardon(tx, { ...pardon, by: actor.person?.name });
    if (until === undefined) throw new Problem('not_found');
    await recordOperatorAct(tx, actor, {
      action: 'guard.pardoned',
      object: `+${prefix}`,
      companyId,
      after: { hours, reason },
    });
    return until;
  });
}

/** False when none holds. */
export async function endPardon(
  { db }: Ctx,
  actor: Actor,
  { companyId, prefix }: { companyId: CompanyId; prefix: string },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!(await deletePardon(tx, { companyId, prefix }))) return false;
    const act = { action: 'guard.pardon_ended', object: `+${prefix}`, companyId } as const;
    await recordOperatorAct(tx, actor, act);
    return true;
  });
}

/** False when nobody with this id is blocked. */
export async function unblockPerson(
  ctx: Ctx,
  actor: Actor,
  { personId, reason }: { personId: string; reason: string },
): Promise<boolean> {
  const person = await findPersonName(ctx.db, personId);
  if (person === undefined) return false;
  return await blockPerson(ctx, {
    person,
    reason: undefined,
    write: (tx) =>
      recordOperatorAct(tx, actor, {
        action: 'person.unblocked',
        object: person.name,
        after: { reason },
      }),
  });
}

/** Bars a host, or allows it again. False when it is so already. */
export async function setBarred(
  ctx: Ctx,
  actor: Actor,
  { host: text, reason, isBarred }: { host: string; reason: string; isBarred: boolean },
): Promise<boolean> {
  const host = readHost(text);
  if (host === undefined) {
    throw new Problem('validation_error', { errors: { host: ['Это не имя сайта'] } });
  }
  return await barHost(ctx, {
    host,
    reason: isBarred ? reason : undefined,
    write: (tx) =>
      recordOperatorAct(tx, actor, {
        action: isBarred ? 'host.barred' : 'host.unbarred',
        object: host,
        after: { reason },
      }),
  });
}
