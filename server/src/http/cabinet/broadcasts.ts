import type { BROADCAST_TEMPLATE_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import type {
  BROADCAST_DRAFT_ENDPOINTS,
  Broadcast,
  BroadcastRow,
} from '@zhiber/contract/cabinet/broadcasts.ts';
import type { BodyOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { CurrentUser } from '../../accounts/current-user.ts';
import { readProfile } from '../../accounts/profile.ts';
import { canApprove, isAwaitingApproval } from '../../broadcasts/drafts/approval.ts';
import { checkText } from '../../broadcasts/drafts/check-text.ts';
import type { DraftFields, ListedBroadcast } from '../../broadcasts/drafts/draft-store.ts';
import {
  changeDraft,
  createDraft,
  type DraftPage,
  deleteDraft,
  listBroadcasts,
  readDraftPage,
} from '../../broadcasts/drafts/drafts.ts';
import { estimateCost } from '../../broadcasts/drafts/estimate.ts';
import { listWhatsappTemplates } from '../../broadcasts/drafts/offered-channels.ts';
import { sendToMe } from '../../broadcasts/drafts/send-to-me.ts';
import { deleteTemplate, listTemplates, saveTemplate } from '../../broadcasts/drafts/templates.ts';
import { type BroadcastId, isId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { actorOf, DONE, type HandlersOf, readId } from './endpoint.ts';

export const BROADCAST_DRAFT_HANDLERS: HandlersOf<typeof BROADCAST_DRAFT_ENDPOINTS> = {
  async broadcasts({ ctx }, { companyId, query }) {
    const { state: states, cursor } = query;
    const { broadcasts, next } = await listBroadcasts(ctx, companyId, { states, cursor });
    return { success: true, rows: broadcasts.map(toRow), next };
  },

  async createBroadcast({ ctx }, { body, companyId, user, origin }) {
    const name = body.name.trim();
    return {
      success: true,
      id: await createDraft(ctx, actorOf(user, origin), { companyId, name }),
    };
  },

  async broadcast({ ctx }, { params, companyId, user, role }) {
    const ref = { companyId, id: readBroadcastId(params.id) };
    const page = await readDraftPage(ctx, ref, { seesPhones: canSeePhones(user, role) });
    const { personId } = user;
    const isApprover = user.viewUntil === undefined && canApprove(page.draft, { personId, role });
    return { ...toBroadcast(page), can_approve: isApprover };
  },

  async changeBroadcast({ ctx }, { params, body, companyId }) {
    const { version, ...fields } = body;
    const ref = { companyId, id: readBroadcastId(params.id) };
    const saved = await changeDraft(ctx, ref, { fields: toFields(fields), version });
    return { success: true, version: saved };
  },

  async deleteBroadcast({ ctx }, { params, companyId, user, origin }) {
    await deleteDraft(ctx, actorOf(user, origin), { companyId, id: readBroadcastId(params.id) });
    return DONE;
  },

  async checkText({ ctx }, { params, companyId, role, user }) {
    const ref = { companyId, id: readBroadcastId(params.id) };
    const check = await checkText(ctx, ref, { seesPhones: canSeePhones(user, role) });
    return {
      success: true,
      parts_min: check.partsMin,
      parts_max: check.partsMax,
      too_long: check.tooLong,
      too_long_row: check.tooLongRow,
      unknown_variables: check.unknownVariables,
      empty_cells: check.emptyCells,
      samples: check.samples,
    };
  },

  async whatsappTemplates({ ctx }) {
    return { success: true, templates: await listWhatsappTemplates(ctx) };
  },

  async sendToMe({ ctx }, { params, companyId, user, origin }) {
    const { person } = await readProfile(ctx, user);
    const { messageId, channel, cost } = await sendToMe(ctx, {
      companyId,
      id: readBroadcastId(params.id),
      phone: person.phone,
      requestId: origin.requestId,
    });
    return { success: true, message_id: messageId, channel, cost };
  },

  async estimate({ ctx }, { params, companyId }) {
    const estimate = await estimateCost(ctx, { companyId, id: readBroadcastId(params.id) });
    const { recipients, least, expected, most, shares } = estimate;
    return {
      success: true,
      ...{ recipients, least, expected, most, shares },
      has_history: estimate.hasHistory,
      balance: estimate.available,
      starts_at: estimate.startsAt.toISOString(),
      needs_approval: estimate.needsApproval,
    };
  },
};

export const BROADCAST_TEMPLATE_HANDLERS: HandlersOf<typeof BROADCAST_TEMPLATE_ENDPOINTS> = {
  async broadcastTemplates({ ctx }, { companyId }) {
    return { success: true, templates: await listTemplates(ctx, companyId) };
  },

  async saveTemplate({ ctx }, { body, companyId, user, origin }) {
    const template = { companyId, name: body.name.trim(), text: body.text, url: body.url || null };
    return { success: true, id: await saveTemplate(ctx, actorOf(user, origin), template) };
  },

  async deleteTemplate({ ctx }, { params, companyId, user, origin }) {
    await deleteTemplate(ctx, actorOf(user, origin), { companyId, id: readId(params.id) });
    return DONE;
  },
};

/** Whoever makes broadcasts has brought the phones; an operator who views has not. */
export function canSeePhones({ viewUntil }: CurrentUser, role: Role): boolean {
  return viewUntil === undefined && hasRight(role, 'broadcasts.change');
}

/** The id of a broadcast in a path. Anything else is answered with 404. */
export function readBroadcastId(text: string | undefined): BroadcastId {
  if (text === undefined || !isId(text)) throw new Problem('not_found');
  return text as string as BroadcastId;
}

export function toRow(broadcast: ListedBroadcast): BroadcastRow {
  return {
    id: broadcast.id,
    name: broadcast.name,
    state: broadcast.state,
    pause_reason: broadcast.pauseReason,
    needs_approval: isAwaitingApproval(broadcast),
    recipients: broadcast.recipients,
    progress: broadcast.progress,
    held: broadcast.held,
    created_at: broadcast.createdAt.toISOString(),
    start_at: broadcast.startAt?.toISOString() ?? null,
    started_at: broadcast.startedAt?.toISOString() ?? null,
    ended_at: broadcast.endedAt?.toISOString() ?? null,
    author: broadcast.author,
  };
}

function toBroadcast({
  draft,
  rows,
  offeredChannels,
  obstacles,
}: DraftPage): Omit<Broadcast, 'can_approve'> {
  return {
    success: true,
    ...toRow(draft),
    includes_other_countries: draft.includesOtherCountries,
    text: draft.text,
    url: draft.url,
    whatsapp_template: draft.whatsappTemplate,
    channels: draft.channels,
    spread_minutes: draft.spreadMinutes,
    quiet_from: draft.quietFrom,
    quiet_to: draft.quietTo,
    skips_days_off: draft.skipsDaysOff,
    consent_basis: draft.consentBasis,
    consent_note: draft.consentNote,
    version: draft.version,
    rows,
    offered_channels: offeredChannels,
    pause_detail: draft.pauseDetail,
    paused_at: draft.pausedAt?.toISOString() ?? null,
    resume_at: draft.resumeAt?.toISOString() ?? null,
    obstacles,
    approved_by: draft.approvedBy,
  };
}

type DraftBody = Omit<BodyOf<typeof BROADCAST_DRAFT_ENDPOINTS.changeBroadcast>, 'version'>;

/** Only what was given: a step saves its own part. */
function toFields(body: DraftBody): Partial<DraftFields> {
  const { url, start_at: startAt, consent_note: note } = body;
  const fields: { [Name in keyof DraftFields]: DraftFields[Name] | undefined } = {
    name: body.name?.trim(),
    includesOtherCountries: body.includes_other_countries,
    text: body.text,
    // A field that was emptied has no address.
    url: url === undefined ? undefined : url?.trim() || null,
    whatsappTemplate: body.whatsapp_template,
    channels: body.channels,
    startAt: startAt == null ? startAt : new Date(startAt),
    spreadMinutes: body.spread_minutes,
    quietFrom: body.quiet_from,
    quietTo: body.quiet_to,
    skipsDaysOff: body.skips_days_off,
    consentBasis: body.consent_basis,
    consentNote: note === undefined ? undefined : note?.trim() || null,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<DraftFields>;
}
