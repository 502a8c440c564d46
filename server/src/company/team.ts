import { hasRight, ROLES, type Role } from '@zhiber/contract/cabinet/rights.ts';
import { type Actor, recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { hashOfToken, newToken } from '../token.ts';
import { lockCompany } from './company-store.ts';
import {
  closeInvitation,
  closeInvitationsBy,
  deleteMember,
  findOffer,
  insertInvitation,
  insertMember,
  listInvitations,
  listMembers,
  lockMembers,
  type Offer,
  type OpenInvitation,
  type StoredMember,
  takeOffer,
  updateRole,
} from './team-store.ts';

type Team = Pick<Context, 'db'>;
type WithRole = Actor & { role: Role };
type MemberRef = { companyId: CompanyId; personId: PersonId };

/** Changes the role of a member. A company never loses its last owner. */
export async function changeRole(
  { db }: Team,
  actor: WithRole,
  { role, ...ref }: MemberRef & { role: Role },
): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, actor, ref, role);
    if (member.role === role) return;
    await updateRole(tx, { ...ref, role });
    await endInvitationsOf(tx, ref, role);
    await recordAuditEvent(tx, actor, {
      companyId: ref.companyId,
      action: 'member.role_changed',
      object: member.name,
      before: { role: member.role },
      after: { role },
    });
  });
}

export async function removeMember({ db }: Team, actor: WithRole, ref: MemberRef): Promise<void> {
  await db.transaction(async (tx) => {
    const member = await lockMember(tx, actor, ref, undefined);
    await deleteMember(tx, ref);
    await endInvitationsOf(tx, ref, undefined);
    await recordAuditEvent(tx, actor, {
      companyId: ref.companyId,
      action: 'member.removed',
      object: member.name,
      before: { role: member.role },
    });
  });
}

/** Invitations end with the right to give them. */
async function endInvitationsOf(
  tx: Transaction,
  { companyId, personId }: MemberRef,
  role: Role | undefined,
): Promise<void> {
  const granted = ROLES.filter((offered) => role !== undefined && canInvite(role, offered));
  await closeInvitationsBy(tx, { companyId, invitedBy: personId, except: granted });
}

/** Counts the owners under a lock, so that the last two cannot both leave at the same time. */
async function lockMember(
  tx: Transaction,
  actor: WithRole,
  { companyId, personId }: MemberRef,
  roleAfter: Role | undefined,
) {
  const members = await lockMembers(tx, companyId);
  const member = members.find((each) => each.personId === personId);
  if (member === undefined) throw new Problem('not_found');
  const isAllowed =
    canGrant(actor.role, member.role) &&
    (roleAfter === undefined || canGrant(actor.role, roleAfter));
  if (!isAllowed) throw new Problem('no_right');
  const owners = members.filter((each) => each.role === 'owner');
  const isLastOwner = member.role === 'owner' && owners.length === 1;
  if (isLastOwner && roleAfter !== 'owner') throw new Problem('last_owner');
  return member;
}

/** Seven days. */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** Each may send a letter to a stranger, so the number of open invitations is limited. */
const OPEN_INVITATIONS_MAX = 50;

type Person = Actor & { person: { id: PersonId; name: string } };

/** Only an owner may grant or take away the role of an owner. */
export function canGrant(own: Role, role: Role): boolean {
  return own === 'owner' || role !== 'owner';
}

function canInvite(own: Role, role: Role): boolean {
  return hasRight(own, 'team.change') && canGrant(own, role);
}

/** Creates an invitation. Its token is returned only here; the database stores a hash of it. */
export async function invite(
  { db, clock }: Team & Pick<Context, 'clock'>,
  actor: Person & { role: Role },
  invitation: { companyId: CompanyId; role: Role; note: string | null },
): Promise<{ token: string; endsAt: Date }> {
  const { companyId, role, note } = invitation;
  if (!canGrant(actor.role, role)) throw new Problem('no_right');
  const { token, hash: tokenHash } = newToken();
  const endsAt = new Date(clock.now().getTime() + INVITATION_MS);
  await db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const open = await listInvitations(tx, companyId);
    if (open.length >= OPEN_INVITATIONS_MAX) throw new Problem('too_many');
    const invitedBy = actor.person.id;
    await insertInvitation(tx, {
      companyId,
      role,
      tokenHash,
      note,
      invitedBy,
      endsAt,
    });
    const object = note ?? '';
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'member.invited',
      object,
      after: { role },
    });
  });
  return { token, endsAt };
}

export async function withdrawInvitation(
  { db }: Team,
  actor: Actor,
  invitation: { companyId: CompanyId; id: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const closed = await closeInvitation(tx, invitation);
    if (closed === undefined) throw new Problem('not_found');
    await recordAuditEvent(tx, actor, {
      companyId: invitation.companyId,
      action: 'invitation.withdrawn',
      object: closed.note ?? '',
      before: { role: closed.role },
    });
  });
}

/** The offer of a token. Throws `invitation_ended` for a closed, expired or unknown one. */
export async function readOffer({ db }: Team, token: string): Promise<Offer> {
  const offer = await findOffer(db, hashOfToken(token));
  if (offer === undefined) throw new Problem('invitation_ended');
  return offer;
}

/** Adds the person to the company. A token works once; a member keeps the role they have. */
export async function acceptInvitation(
  { db }: Team,
  actor: Person,
  token: string,
): Promise<CompanyId> {
  return await db.transaction(async (tx) => {
    const offer = await takeOffer(tx, hashOfToken(token));
    if (offer === undefined) throw new Problem('invitation_ended');
    const { companyId, role, inviterRole } = offer;
    if (offer.isSuspended) throw new Problem('company_suspended');
    const mayInvite = offer.isByOperator || (inviterRole !== null && canInvite(inviterRole, role));
    if (!mayInvite) throw new Problem('invitation_ended');
    const isNew = await insertMember(tx, { companyId, personId: actor.person.id, role });
    if (isNew) {
      const object = actor.person.name;
      await recordAuditEvent(tx, actor, {
        companyId,
        action: 'member.joined',
        object,
        after: { role },
      });
    }
    return companyId;
  });
}

/** The members of a company and, for those who may see them, the open invitations. */
export async function listTeam(
  { db }: Team,
  companyId: CompanyId,
  { withInvitations }: { withInvitations: boolean },
): Promise<{ members: StoredMember[]; invitations: OpenInvitation[] }> {
  return {
    members: await listMembers(db, companyId),
    invitations: withInvitations ? await listInvitations(db, companyId) : [],
  };
}
