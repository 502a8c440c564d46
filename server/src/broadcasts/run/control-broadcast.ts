import type { AuditAction } from '@zhiber/contract/cabinet/company.ts';
import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import type { Transaction } from '../../db/database.ts';
import type { BroadcastId, CompanyId, PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { listObstacles, readDraft } from '../drafts/drafts.ts';
import { storeCounts } from '../results/count-progress.ts';
import {
  askApproval,
  countToSend,
  countWithChannels,
  findApprovalLimit,
  lockBroadcast,
  type StoredBroadcast,
  scheduleBroadcast,
  setEnded,
  setPaused,
  setRunning,
  setScheduled,
  skipWaiting,
  storeApproval,
  withdraw,
} from './broadcast-store.ts';

type Person = Actor & { person: { id: PersonId; name: string } };
type Target = { companyId: CompanyId; id: BroadcastId };

/** Leaving out 100,000 recipients at once would hold their locks for seconds. */
const SKIP_ROWS = 5_000;
/** The audit log records no person for a change from the command line. */
const OPERATOR: Actor = {};
/** How long a broadcast waits for a channel that is not available. */
const CHANNEL_PAUSE_SECONDS = 60;

/** Changes a broadcast of the company under its lock, with a record in the audit log. */
async function change<T>(
  ctx: Pick<Context, 'db'>,
  { companyId, id }: Target,
  work: (tx: Transaction, broadcast: StoredBroadcast) => Promise<T>,
): Promise<T> {
  return await ctx.db.transaction(async (tx) => {
    const broadcast = await lockBroadcast(tx, id);
    if (broadcast === undefined || broadcast.companyId !== companyId)
      throw new Problem('not_found');
    return await work(tx, broadcast);
  });
}

async function record(
  tx: Transaction,
  actor: Actor,
  { companyId, name }: StoredBroadcast,
  action: AuditAction,
  after: object = {},
): Promise<void> {
  await recordAuditEvent(tx, actor, { companyId, action, object: name, after });
}

/** Starts a draft that lacks nothing. */
export async function confirmBroadcast(
  ctx: Pick<Context, 'db' | 'clock' | 'channels' | 'urls'>,
  actor: Person,
  request: Target & { recipients: number; version: number },
): Promise<{ state: 'draft' | 'scheduled'; needsApproval: boolean }> {
  const draft = await readDraft(ctx, request);
  const obstacles = await listObstacles(ctx, request.companyId, draft);
  if (draft.state === 'draft' && obstacles.length > 0) throw new Problem('broadcast_not_ready');
  return await startBroadcast(ctx, actor, request);
}

/**
 * Confirms a draft: it begins at its time, or at once, or asks a second person first. The caller
 * says what was on the button, so that nobody sends to more people than were shown.
 */
export async function startBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target & { recipients: number; version: number },
): Promise<{ state: 'draft' | 'scheduled'; needsApproval: boolean }> {
  return await change(ctx, request, async (tx, broadcast) => {
    assertDraft(broadcast);
    if (broadcast.rowsState !== 'checked') throw new Problem('rows_not_checked');
    const recipients = await countShown(tx, broadcast, request);
    if (recipients > (await findApprovalLimit(tx, broadcast.companyId))) {
      await askApproval(tx, broadcast.id, actor.person.id);
      await record(tx, actor, broadcast, 'broadcast.approval_asked', { recipients });
      return { state: 'draft', needsApproval: true };
    }
    await scheduleBroadcast(tx, broadcast.id, recipients);
    await record(tx, actor, broadcast, 'broadcast.started', startOf(broadcast, recipients));
    return { state: 'scheduled', needsApproval: false };
  });
}

/** By another person than the one who asked, and only what that person was shown. */
export async function approveBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target & { recipients: number; version: number },
): Promise<void> {
  await change(ctx, request, async (tx, broadcast) => {
    const { approvalAskedBy, createdBy } = broadcast;
    if (broadcast.state !== 'draft' || approvalAskedBy === null) {
      throw new Problem('broadcast_not_waiting');
    }
    const { id: personId } = actor.person;
    if (personId === approvalAskedBy || personId === createdBy) throw new Problem('own_broadcast');
    const recipients = await countShown(tx, broadcast, request);
    await storeApproval(tx, broadcast.id, personId);
    await scheduleBroadcast(tx, broadcast.id, recipients);
    await record(tx, actor, broadcast, 'broadcast.approved', startOf(broadcast, recipients));
  });
}

/** The recipients, as long as the draft and their number are those that the person was shown. */
async function countShown(
  tx: Transaction,
  { id, version }: StoredBroadcast,
  shown: { recipients: number; version: number },
): Promise<number> {
  const recipients = await countToSend(tx, id);
  if (version === shown.version && recipients === shown.recipients) return recipients;
  throw new Problem('broadcast_outdated');
}

function startOf({ startAt, channels }: StoredBroadcast, recipients: number): object {
  return { recipients, channels, ...(startAt !== null && { start_at: startAt.toISOString() }) };
}

/** Makes a draft of what waits for approval or for its time. */
export async function withdrawBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target,
): Promise<void> {
  await change(ctx, request, async (tx, broadcast) => {
    const { state, approvalAskedBy } = broadcast;
    const isWaiting = state === 'scheduled' || (state === 'draft' && approvalAskedBy !== null);
    if (!isWaiting) throw new Problem('broadcast_not_waiting');
    await withdraw(tx, broadcast.id);
    await record(tx, actor, broadcast, 'broadcast.withdrawn');
  });
}

/**
 * No recipient is claimed after it returns, on any node. Returns how many messages channels were
 * being asked about at that moment.
 */
export async function pauseBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target,
): Promise<number> {
  return await change(ctx, request, async (tx, broadcast) => {
    if (broadcast.state !== 'running' && broadcast.state !== 'paused') {
      throw new Problem('broadcast_not_running');
    }
    assertNotHeldByOperator(broadcast);
    // A pause that would end by itself becomes one that does not.
    await setPaused(tx, broadcast.id, { reason: 'person' });
    await record(tx, actor, broadcast, 'broadcast.paused');
    return await countWithChannels(tx, broadcast, 'newest');
  });
}

/** The next tick decides whether it can go on: quiet hours and money still count. */
export async function resumeBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target,
): Promise<void> {
  await change(ctx, request, async (tx, broadcast) => {
    if (broadcast.state !== 'paused') throw new Problem('broadcast_not_running');
    assertNotHeldByOperator(broadcast);
    await setRunning(tx, broadcast.id);
    await record(tx, actor, broadcast, 'broadcast.resumed');
  });
}

/** For good: recipients that wait are left out, and their tokens are free again. */
export async function cancelBroadcast(
  ctx: Pick<Context, 'db'>,
  actor: Person,
  request: Target & { name: string },
): Promise<void> {
  const { id } = request;
  await change(ctx, request, async (tx, broadcast) => {
    if (!['scheduled', 'running', 'paused'].includes(broadcast.state)) {
      throw new Problem('broadcast_not_running');
    }
    if (broadcast.name.trim() !== request.name.trim()) throw new Problem('name_differs');
    // Nobody is claimed from here on. A crash leaves it paused, by the operator if it was, and it can
    // be cancelled again.
    if (broadcast.pauseReason !== 'operator') await setPaused(tx, id, { reason: 'person' });
  });
  const options = { reason: 'cancelled', limit: SKIP_ROWS } as const;
  while (await ctx.db.transaction((tx) => skipWaiting(tx, id, options)));
  const hasStarted = await change(ctx, request, async (tx, broadcast) => {
    await setEnded(tx, id, 'cancelled');
    await record(tx, actor, broadcast, 'broadcast.cancelled');
    return broadcast.startedAt !== null;
  });
  // Whoever sees that it has ended sees the counts of that moment.
  if (hasStarted) await storeCounts(ctx.db, id);
}

/** Recipients find no channel available: nobody is lost, and it goes on by itself. */
export async function pauseForChannel(ctx: Pick<Context, 'bulk'>, id: BroadcastId): Promise<void> {
  await ctx.bulk.transaction(async (tx) => {
    const broadcast = await lockBroadcast(tx, id);
    if (broadcast?.state !== 'running') return;
    const resumeAt = new Date(broadcast.now.getTime() + CHANNEL_PAUSE_SECONDS * 1_000);
    await setPaused(tx, id, { reason: 'channel', resumeAt });
  });
}

/** The operator stops a broadcast, until the operator lets it go on. False when it is over or held already. */
export async function holdByOperator(ctx: Pick<Context, 'db'>, id: BroadcastId): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const broadcast = await lockBroadcast(tx, id);
    if (broadcast === undefined || broadcast.pauseReason === 'operator') return false;
    if (!['scheduled', 'running', 'paused'].includes(broadcast.state)) return false;
    await setPaused(tx, id, { reason: 'operator' });
    await record(tx, OPERATOR, broadcast, 'broadcast.paused');
    return true;
  });
}

/** It goes on, or waits for its time again. False when the operator does not hold it. */
export async function releaseByOperator(
  ctx: Pick<Context, 'db'>,
  id: BroadcastId,
): Promise<boolean> {
  return await ctx.db.transaction(async (tx) => {
    const broadcast = await lockBroadcast(tx, id);
    if (broadcast?.pauseReason !== 'operator') return false;
    if (broadcast.startedAt === null) await setScheduled(tx, id);
    else await setRunning(tx, id);
    await record(tx, OPERATOR, broadcast, 'broadcast.resumed');
    return true;
  });
}

function assertNotHeldByOperator({ pauseReason }: StoredBroadcast): void {
  if (pauseReason === 'operator') throw new Problem('paused_by_operator');
}

function assertDraft({ state, approvalAskedBy }: StoredBroadcast): void {
  if (state !== 'draft' || approvalAskedBy !== null) throw new Problem('broadcast_not_draft');
}
