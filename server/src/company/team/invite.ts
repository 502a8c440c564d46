import { createHash } from 'node:crypto';
import type { Role } from '@zhiber/contract/cabinet/rights.ts';
import { type Actor, recordDeed } from '../../audit/audit-store.ts';
import type { Context } from '../../context.ts';
import { type CompanyId, type PersonId, randomText } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { lockCompany } from '../company-store.ts';
import {
  closeInvitation,
  findOffer,
  insertInvitation,
  listInvitations,
  type Offer,
  takeOffer,
} from './invitation-store.ts';
import { insertMember } from './team-store.ts';

const INVITATION_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const TOKEN_LENGTH = 32;
/** Each may be a letter to a stranger, so a company can have only so many on their way. */
const OPEN_INVITATIONS_MAX = 50;

type Team = Pick<Context, 'db' | 'clock'>;
type Person = Actor & { person: { id: PersonId; name: string } };

/** Only owners make owners. */
export function mayGrant(own: Role, role: Role): boolean {
  return own === 'owner' || role !== 'owner';
}

/** Makes an invitation. Its token is returned this once; only a hash of it is kept. */
export async function invite(
  { db, clock }: Team,
  actor: Person & { role: Role },
  invitation: { companyId: CompanyId; role: Role; note: string | null },
): Promise<{ token: string; endsAt: Date }> {
  const { companyId, role, note } = invitation;
  if (!mayGrant(actor.role, role)) throw new Problem('no_right');
  const token = randomText(ALPHABET, TOKEN_LENGTH);
  const endsAt = new Date(clock.now().getTime() + INVITATION_DAYS * DAY_MS);
  await db.transaction(async (tx) => {
    await lockCompany(tx, companyId);
    const open = await listInvitations(tx, companyId);
    if (open.length >= OPEN_INVITATIONS_MAX) throw new Problem('too_many');
    const invitedBy = actor.person.id;
    await insertInvitation(tx, {
      companyId,
      role,
      tokenHash: hashOf(token),
      note,
      invitedBy,
      endsAt,
    });
    const object = note ?? '';
    await recordDeed(tx, actor, { companyId, action: 'member.invited', object, after: { role } });
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
    await recordDeed(tx, actor, {
      companyId: invitation.companyId,
      action: 'invitation.withdrawn',
      object: closed.note ?? '',
      before: { role: closed.role },
    });
  });
}

/** What a token offers, or the refusal of one that is over or was never given. */
export async function readOffer({ db }: Team, token: string): Promise<Offer> {
  const offer = await findOffer(db, hashOf(token));
  if (offer === undefined) throw new Problem('invitation_ended');
  return offer;
}

/** The person joins the company. A token works once; a member keeps the role they have. */
export async function acceptInvitation(
  { db }: Team,
  actor: Person,
  token: string,
): Promise<CompanyId> {
  return await db.transaction(async (tx) => {
    const offer = await takeOffer(tx, hashOf(token));
    if (offer === undefined) throw new Problem('invitation_ended');
    const { companyId, role } = offer;
    const isNew = await insertMember(tx, { companyId, personId: actor.person.id, role });
    if (isNew) {
      const object = actor.person.name;
      await recordDeed(tx, actor, { companyId, action: 'member.joined', object, after: { role } });
    }
    return companyId;
  });
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
