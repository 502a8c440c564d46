import type { TEAM_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { findCompany } from '../../../company/company-store.ts';
import { changeRole, removeMember } from '../../../company/team/change-member.ts';
import { listInvitations } from '../../../company/team/invitation-store.ts';
import {
  acceptInvitation,
  invite,
  readOffer,
  withdrawInvitation,
} from '../../../company/team/invite.ts';
import { listMembers } from '../../../company/team/team-store.ts';
import type { PersonId } from '../../../ids.ts';
import { letterOf } from '../../../mail/letters.ts';
import { findPerson } from '../../../people/person-store.ts';
import { enterCompany } from '../../../people/session/session-store.ts';
import { actorOf } from '../frame/actor.ts';
import type { HandlersOf } from '../frame/endpoint.ts';
import { readId } from '../frame/params.ts';

export const TEAM_HANDLERS: HandlersOf<typeof TEAM_ENDPOINTS> = {
  async team({ ctx }, { companyId, role, visitor }) {
    const members = await listMembers(ctx.db, companyId);
    const mayInvite = hasRight(role, 'team.change');
    const invitations = mayInvite ? await listInvitations(ctx.db, companyId) : [];
    return {
      success: true,
      members: members.map((member) => ({
        id: member.personId,
        name: member.name,
        contact: member.contact,
        role: member.role,
        has_second_factor: member.hasSecondFactor,
        joined_at: member.joinedAt.toISOString(),
        seen_at: member.seenAt?.toISOString() ?? null,
        is_me: member.personId === visitor.personId,
      })),
      invitations: invitations.map(({ id, role, note, invitedBy, createdAt, endsAt }) => ({
        id,
        role,
        note,
        invited_by: invitedBy,
        created_at: createdAt.toISOString(),
        ends_at: endsAt.toISOString(),
      })),
    };
  },

  async invite({ ctx, people }, { body, companyId, role, visitor, origin }) {
    const note = body.note?.trim() || body.email || null;
    const actor = { ...actorOf(visitor, origin), role };
    const { token, endsAt } = await invite(ctx, actor, { companyId, role: body.role, note });
    // Behind the #, so that the token is in nobody's log of addresses.
    const link = `${ctx.urls.publicUrl}/invite#${token}`;
    if (body.email !== undefined) {
      const language = (await findPerson(ctx.db, visitor.personId)).language ?? 'ru';
      const company = (await findCompany(ctx.db, companyId))?.name ?? '';
      people.mailer.send(letterOf('invitation', language, { to: body.email, link, company }));
    }
    return { success: true, link, ends_at: endsAt.toISOString() };
  },

  async withdrawInvitation({ ctx }, { params, companyId, visitor, origin }) {
    await withdrawInvitation(ctx, actorOf(visitor, origin), { companyId, id: readId(params.id) });
    return { success: true };
  },

  async readInvitation({ ctx }, { body }) {
    const { company, role, endsAt } = await readOffer(ctx, body.token);
    return { success: true, company, role, ends_at: endsAt.toISOString() };
  },

  async acceptInvitation({ ctx }, { body, visitor, origin }) {
    const companyId = await acceptInvitation(ctx, actorOf(visitor, origin), body.token);
    await enterCompany(ctx.db, visitor, companyId);
    return { success: true };
  },

  async changeRole({ ctx }, { params, body, companyId, role, visitor, origin }) {
    await changeRole(
      ctx,
      { ...actorOf(visitor, origin), role },
      { companyId, personId: params.id as PersonId, role: body.role },
    );
    return { success: true };
  },

  async removeMember({ ctx }, { params, companyId, role, visitor, origin }) {
    await removeMember(
      ctx,
      { ...actorOf(visitor, origin), role },
      { companyId, personId: params.id as PersonId },
    );
    return { success: true };
  },
};
