import type { ADMIN_ABUSE_ENDPOINTS } from '@zhiber/contract/admin/abuse.ts';
import type { CompanyId } from '../../ids.ts';
import {
  endPardon,
  listClosures,
  listGuardDecisions,
  pardonStream,
  setBarred,
  unblockPerson,
} from '../../operators/abuse.ts';
import { actorOf } from '../../operators/sign-in.ts';
import { readId } from '../transport/page-call.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_ABUSE_HANDLERS: AdminHandlersOf<typeof ADMIN_ABUSE_ENDPOINTS> = {
  async guardDecisions({ ctx }, { query }) {
    const companyId = query.company_id as CompanyId | undefined;
    const decisions = (await listGuardDecisions(ctx, companyId)).map((decision) => ({
      company: { id: decision.company_id, name: decision.company_name },
      prefix: decision.prefix,
      at: decision.window_to.toISOString(),
      sent: decision.sent,
      verified: decision.verified,
      share_max: decision.bound,
      action: decision.action,
      sends: decision.sends,
      probes: decision.probes,
      pardoned_until: decision.pardoned_until?.toISOString() ?? null,
    }));
    return { success: true, decisions };
  },
  async closures({ ctx }) {
    const { people, companies, hosts, pardons } = await listClosures(ctx);
    return {
      success: true,
      people: people.map((person) => ({ ...person, since: person.since.toISOString() })),
      companies: companies.map((company) => ({ ...company, since: company.since.toISOString() })),
      hosts: hosts.map(({ host, reason, barredAt }) => ({
        host,
        reason,
        since: barredAt.toISOString(),
      })),
      pardons: pardons.map(({ companyId, companyName, prefix, until, reason, setBy }) => ({
        company: { id: companyId, name: companyName },
        prefix,
        until: until.toISOString(),
        reason,
        set_by: setBy,
      })),
    };
  },
  async pardonStream({ ctx }, { body, operator, origin }) {
    const { company_id, prefix, hours, reason } = body;
    const companyId = company_id as CompanyId;
    const pardon = { companyId, prefix, hours, reason: reason.trim() };
    const until = await pardonStream(ctx, actorOf(operator, origin), pardon);
    return { success: true, until: until.toISOString() };
  },
  async endPardon({ ctx }, { params, operator, origin }) {
    const companyId = readId(params.company_id) as CompanyId;
    const stream = { companyId, prefix: params.prefix ?? '' };
    const is_changed = await endPardon(ctx, actorOf(operator, origin), stream);
    return { success: true, is_changed };
  },
  async unblockPerson({ ctx }, { params, body, operator, origin }) {
    const is_changed = await unblockPerson(ctx, actorOf(operator, origin), {
      personId: params.person_id ?? '',
      reason: body.reason.trim(),
    });
    return { success: true, is_changed };
  },
  async barHost({ ctx }, { body, operator, origin }) {
    const barring = { host: body.host, reason: body.reason.trim(), isBarred: true };
    return { success: true, is_changed: await setBarred(ctx, actorOf(operator, origin), barring) };
  },
  async unbarHost({ ctx }, { body, operator, origin }) {
    const barring = { host: body.host, reason: body.reason.trim(), isBarred: false };
    return { success: true, is_changed: await setBarred(ctx, actorOf(operator, origin), barring) };
  },
};
