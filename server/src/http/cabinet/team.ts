import type { TEAM_ENDPOINTS } from '@zhiber/contract/cabinet/company.ts';
import { hasRight } from '@zhiber/contract/cabinet/rights.ts';
import { countInvitation, sendInvitation } from '../../accounts/letters.ts';
import { readProfile } from '../../accounts/profile.ts';
import { switchCompany } from '../../accounts/sessions.ts';
import { readCompany } from '../../company/change-company.ts';
import {
  acceptInvitation,
  changeRole,
  invite,
  listTeam,
  readOffer,
  removeMember,
  withdrawInvitation,
} from '../../company/team.ts';
import type { PersonId } from '../../ids.ts';
import { isMaskedPhone } from '../../phone.ts';
import { named } from './company.ts';
import { actorOf, type HandlersOf, readId } from './endpoint.ts';

export const TEAM_HANDLERS: HandlersOf<typeof TEAM_ENDPOINTS> = {
  async team({ ctx }, { companyId, role, user }) {
    const { members, invitations } = await listTeam(ctx, companyId, {
      withInvitations: hasRight(role, 'team.change'),
    });
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
        is_me: member.personId === user.personId,
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

  async invite({ ctx, accounts }, { body, companyId, role, user, origin }) {
    const note = body.note?.trim() || body.email || null;
    const actor = { ...actorOf(user, origin), role };
    // Before anything is stored: a refused invitation must not stay open.
    if (body.email !== undefined) {
      await countInvitation(accounts, { email: body.email, companyId }, origin.address);
    }
    const { token, endsAt } = await invite(ctx, actor, { companyId, role: body.role, note });
    // In the fragment, which browsers do not send, so that the token is in no access log.
    const link = `${ctx.urls.publicUrl}/invite#${token}`;
    if (body.email !== undefined) {
      const language = (await readProfile(ctx, user)).person.language ?? 'ru';
      const { name } = await readCompany(ctx, companyId);
      sendInvitation(accounts, { email: body.email, link, company: name, language });
    }
    return { success: true, link, ends_at: endsAt.toISOString() };
  },

  async withdrawInvitation({ ctx }, { params, companyId, user, origin }) {
    await withdrawInvitation(ctx, actorOf(user, origin), { companyId, id: readId(params.id) });
    return { success: true };
  },

  async readInvitation({ ctx }, { body, user }) {
    const { company, role, endsAt } = await readOffer(ctx, body.token);
    return {
      success: true,
      company,
      role,
      ends_at: endsAt.toISOString(),
      signed_in:
        user === undefined ? null : { name: user.name, has_name: !isMaskedPhone(user.name) },
    };
  },

  async acceptInvitation({ ctx }, { body, user, origin }) {
    const member = await named(ctx, user, body.name);
    const companyId = await acceptInvitation(ctx, actorOf(member, origin), body.token);
    await switchCompany(ctx, user, companyId);
    return { success: true };
  },

  async changeRole({ ctx }, { params, body, companyId, role, user, origin }) {
    await changeRole(
      ctx,
      { ...actorOf(user, origin), role },
      { companyId, personId: params.id as PersonId, role: body.role },
    );
    return { success: true };
  },

  async removeMember({ ctx }, { params, companyId, role, user, origin }) {
    await removeMember(
      ctx,
      { ...actorOf(user, origin), role },
      { companyId, personId: params.id as PersonId },
    );
    return { success: true };
  },
};
