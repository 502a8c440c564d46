import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { type Actor, recordDeed } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import type { CompanyId, PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { mayGrant } from './invite.ts';
import { deleteMember, lockMembers, updateRole } from './team-store.ts';

type Team = Pick<Context, 'db'>;
type WithRole = Actor & { role: Role };
type Whom = { companyId: CompanyId; personId: PersonId };

/** Gives a member another role. A company never loses its last owner. */
export async function changeRole(
  { db }: Team,
  actor: WithRole,
  { role, ...whom }: Whom & { role: Role },
): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, actor, whom, role);
    if (member.role === role) return;
    await updateRole(tx, { ...whom, role });
    await recordDeed(tx, actor, {
      companyId: whom.companyId,
      action: 'member.role_changed',
      object: member.name,
      before: { role: member.role },
      after: { role },
    });
  });
}

export async function removeMember({ db }: Team, actor: WithRole, whom: Whom): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, actor, whom, undefined);
    await deleteMember(tx, whom);
    await recordDeed(tx, actor, {
      companyId: whom.companyId,
      action: 'member.removed',
      object: member.name,
      before: { role: member.role },
    });
  });
}

/** Counts the owners while nobody else can change them: two who leave at once cannot both go. */
async function lockMember(
  tx: Transaction,
  actor: WithRole,
  { companyId, personId }: Whom,
  roleAfter: Role | undefined,
) {
  const members = await lockMembers(tx, companyId);
  const member = members.find((each) => each.personId === personId);
  if (member === undefined) throw new Problem('not_found');
  const isAllowed =
    mayGrant(actor.role, member.role) &&
    (roleAfter === undefined || mayGrant(actor.role, roleAfter));
  if (!isAllowed) throw new Problem('no_right');
  const owners = members.filter((each) => each.role === 'owner');
  const isLastOwner = member.role === 'owner' && owners.length === 1;
  if (isLastOwner && roleAfter !== 'owner') throw new Problem('last_owner');
  return member;
}
