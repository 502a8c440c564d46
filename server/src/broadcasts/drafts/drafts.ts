import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { ChosenTemplate, RowsRead } from '@zhiber/contract/cabinet/broadcasts.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import { changesBetween } from '../../audit-log/changes.ts';
import { readCompany } from '../../company/change-company.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import { type BroadcastId, type CompanyId, isId, newId, type PersonId } from '../../ids.ts';
import { readTarget, type TargetContext } from '../../links/target.ts';
import { Problem } from '../../problem.ts';
import { recheckRows } from '../rows/check-rows.ts';
import { describeRows } from '../rows/show-rows.ts';
import { isAwaitingApproval } from './approval.ts';
import {
  type BroadcastRef,
  type DraftFields,
  findBroadcasts,
  findDraft,
  forgetRows,
  insertDraft,
  type ListedBroadcast,
  type LockedDraft,
  lockDraft,
  removeDraft,
  removeRows,
  type StoredDraft,
  updateDraft,
} from './draft-store.ts';
import { findObstacles, type Obstacle } from './obstacles.ts';
import { listOfferedChannels, listWhatsappTemplates } from './offered-channels.ts';
import { sampleFacts } from './sample-facts.ts';

type Person = Actor & { person: { id: PersonId; name: string } };

/** Each may hold 100,000 rows. */
const DRAFTS_MAX = 50;
const PAGE_SIZE = 20;
const REMOVED_AT_ONCE = 5_000;

export async function createDraft(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Person,
  { companyId, name }: { companyId: CompanyId; name: string },
): Promise<BroadcastId> {
  const id = newId(clock.now().getTime()) as string as BroadcastId;
  return await db.transaction(async (tx) => {
    const createdBy = actor.person.id;
    const made = await insertDraft(tx, { id, companyId, name, createdBy, draftsMax: DRAFTS_MAX });
    if (made === undefined) throw new Problem('too_many');
    await recordAuditEvent(tx, actor, { companyId, action: 'broadcast.created', object: name });
    return made;
  });
}

/** A page of the broadcasts of a company, newest first, and the cursor of the next page. */
export async function listBroadcasts(
  { db }: Pick<Context, 'db'>,
  companyId: CompanyId,
  filter: { states: readonly string[] | undefined; cursor: string | undefined },
): Promise<{ broadcasts: ListedBroadcast[]; next: string | null }> {
  const { states, cursor } = filter;
  const before = cursor === undefined ? undefined : readCursor(cursor);
  const found = await findBroadcasts(db, { companyId, states, before, limit: PAGE_SIZE + 1 });
  const broadcasts = found.slice(0, PAGE_SIZE);
  return { broadcasts, next: found.length > PAGE_SIZE ? (broadcasts.at(-1)?.id ?? null) : null };
}

function readCursor(cursor: string): BroadcastId {
  if (isId(cursor)) return cursor as string as BroadcastId;
  throw new Problem('validation_error', { errors: { cursor: ['Неверный формат'] } });
}

/** A broadcast of the company, in any state. That of another company is `not_found`. */
export async function readDraft(
  { db }: Pick<Context, 'db'>,
  ref: BroadcastRef,
): Promise<StoredDraft> {
  const draft = await findDraft(db, ref);
  if (draft === undefined) throw new Problem('not_found');
  return draft;
}

export type DraftPage = {
  draft: StoredDraft;
  rows: RowsRead;
  offeredChannels: Channel[];
  obstacles: Obstacle[];
};

/** A broadcast with everything that its page shows. */
export async function readDraftPage(
  ctx: Pick<Context, 'db' | 'clock' | 'channels' | 'urls' | 'config'>,
  ref: BroadcastRef,
  { seesPhones }: { seesPhones: boolean },
): Promise<DraftPage> {
  const draft = await readDraft(ctx, ref);
  return {
    draft,
    rows: await describeRows(
      ctx,
      { companyId: ref.companyId, broadcastId: ref.id },
      { canSeePhones: seesPhones },
    ),
    offeredChannels: listOfferedChannels(ctx),
    obstacles: draft.state === 'draft' ? await listObstacles(ctx, ref.companyId, draft) : [],
  };
}

/** Why a draft cannot be started now. */
export async function listObstacles(
  ctx: Pick<Context, 'db' | 'clock' | 'channels' | 'urls'>,
  companyId: CompanyId,
  draft: StoredDraft,
): Promise<Obstacle[]> {
  const { language } = await readCompany(ctx, companyId);
  return findObstacles(draft, {
    now: ctx.clock.now(),
    language,
    offeredChannels: listOfferedChannels(ctx),
    sample: (cells) => sampleFacts(ctx.urls, cells),
  });
}

export type DraftChange = {
  fields: Partial<DraftFields>;
  /** The version that the page has shown; undefined to save whatever another page has saved. */
  version: number | undefined;
};

/** Saves a part of a draft and returns its version, which is a new one when something changed. */
export async function changeDraft(
  ctx: TargetContext & Pick<Context, 'db' | 'log' | 'config'>,
  ref: BroadcastRef,
  { fields, version }: DraftChange,
): Promise<number> {
  const checked = await checkFields(ctx, fields);
  let hasOtherRules = false;
  const saved = await ctx.db.transaction(async (tx) => {
    const { state: _state, approvalAskedBy: _by, ...before } = await lockOpenDraft(tx, ref);
    const { version: current, ...known } = before;
    if (version !== undefined && version !== current) throw new Problem('broadcast_outdated');
    const changed = { ...known, ...checked };
    if (changesBetween<DraftFields>(known, changed) === undefined) return current;
    hasOtherRules = changed.includesOtherCountries !== known.includesOtherCountries;
    return await updateDraft(tx, ref, changed);
  });
  if (hasOtherRules) await recheckRows(ctx, ref.id);
  return saved;
}

/** Removes a draft with its rows. */
export async function deleteDraft(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  ref: BroadcastRef,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockOpenDraft(tx, ref);
    await forgetRows(tx, ref);
  });
  while ((await removeRows(db, ref.id, REMOVED_AT_ONCE)) === REMOVED_AT_ONCE);
  await db.transaction(async (tx) => {
    const { name: object } = await lockOpenDraft(tx, ref);
    await removeDraft(tx, ref);
    const { companyId } = ref;
    await recordAuditEvent(tx, actor, { companyId, action: 'broadcast.deleted', object });
  });
}

/** Throws unless it is a draft that nobody has been asked to approve. */
async function lockOpenDraft(tx: Transaction, ref: BroadcastRef): Promise<LockedDraft> {
  const draft = await lockDraft(tx, ref);
  if (draft === undefined) throw new Problem('not_found');
  if (draft.state !== 'draft' || isAwaitingApproval(draft)) {
    throw new Problem('broadcast_not_draft');
  }
  return draft;
}

async function checkFields(
  ctx: TargetContext & Pick<Context, 'log'>,
  fields: Partial<DraftFields>,
): Promise<Partial<DraftFields>> {
  const { url, whatsappTemplate } = fields;
  return {
    ...fields,
    ...(typeof url === 'string' && { url: await readTarget(ctx, url) }),
    ...(whatsappTemplate && { whatsappTemplate: await checkTemplate(ctx, whatsappTemplate) }),
  };
}

/** The text is that of the approved template, whatever the page says. */
async function checkTemplate(
  ctx: Pick<Context, 'channels' | 'log'>,
  chosen: ChosenTemplate,
): Promise<ChosenTemplate> {
  const templates = await listWhatsappTemplates(ctx);
  const approved = templates.find(
    ({ name, language }) => name === chosen.name && language === chosen.language,
  );
  if (approved !== undefined) return { ...approved, variables: chosen.variables };
  const errors = { whatsapp_template: ['Такого одобренного шаблона нет: выберите другой'] };
  throw new Problem('validation_error', { errors });
}
