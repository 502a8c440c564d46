import type { Context } from '../context.ts';
import { type CompanyId, type KeyId, type MessageId, newId } from '../ids.ts';
import { Problem } from '../problem.ts';
import {
  claimKeys,
  dropClaim,
  type IdempotencyRecord,
  type IdempotencyRef,
  keepAnswer,
  takeOverClaim,
} from './idempotency-store.ts';

export type Answer = { status: number; body: string };

export type IdempotentRequest = {
  companyId: CompanyId;
  keyId: KeyId;
  path: string;
  idempotencyKey: string;
  body: string;
  /** Does the work. The subject identifies it, so that it can be found again after a crash. */
  run(subject: MessageId): Promise<Answer & { isFinal: boolean }>;
  /**
   * The answer of work that was started and never answered; undefined when it had changed nothing.
   */
  resume(subject: MessageId): Promise<Answer | undefined>;
};

/**
 * A claim without an answer after this time belongs to a process that died: twice what a delivery
 * may take.
 */
const ABANDONED_SECONDS = 20;

/**
 * Runs a request at most once per Idempotency-Key: the same body again gets the first answer,
 * another body is refused, and one that is still under way gets request_in_progress. This holds
 * across a crash, because the claim is committed first.
 */
export async function runIdempotently(
  ctx: Pick<Context, 'db' | 'clock' | 'secrets' | 'log'>,
  request: IdempotentRequest,
): Promise<Answer & { isReplayed: boolean }> {
  const subject = newId(ctx.clock.now().getTime());
  const { companyId, keyId, path, idempotencyKey } = request;
  const ref: IdempotencyRef = { keyId, path, idempotencyKey };
  const bodyHash = ctx.secrets.macOfBody(request.body);
  const record = await ctx.db.inGroup(claimKeys, { ...ref, companyId, bodyHash, subject });

  if (record.is_claimed) return await runClaimed(ctx, request, subject);
  // The claim was released between our insert and our select: treat it as still under way.
  if (record.subject === null) throw new Problem('request_in_progress', { retry_after: 1 });
  if (!record.body_hash.equals(bodyHash)) throw new Problem('idempotency_key_reused');
  if (record.answer !== null && record.status !== null) {
    return { status: record.status, body: record.answer, isReplayed: true };
  }
  if (record.age_seconds < ABANDONED_SECONDS) {
    throw new Problem('request_in_progress', { retry_after: 1 });
  }
  return await finishAbandoned(ctx, request, record, subject);
}

async function runClaimed(
  ctx: Pick<Context, 'db' | 'log'>,
  request: IdempotentRequest,
  subject: MessageId,
): Promise<Answer & { isReplayed: boolean }> {
  const { keyId, path, idempotencyKey } = request;
  const ref = { keyId, path, idempotencyKey, subject };
  const answer = await request.run(subject);
  const kept = answer.isFinal ? keepAnswer(ctx.db, ref, answer) : dropClaim(ctx.db, ref);
  await logIfNotKept(ctx, kept);
  return { status: answer.status, body: answer.body, isReplayed: false };
}

async function finishAbandoned(
  ctx: Pick<Context, 'db' | 'log'>,
  request: IdempotentRequest,
  record: IdempotencyRecord,
  subject: MessageId,
): Promise<Answer & { isReplayed: boolean }> {
  const { keyId, path, idempotencyKey } = request;
  const ref: IdempotencyRef = { keyId, path, idempotencyKey };
  const answer = await request.resume(record.subject);
  if (answer !== undefined) {
    await logIfNotKept(ctx, keepAnswer(ctx.db, { ...ref, subject: record.subject }, answer));
    return { ...answer, isReplayed: true };
  }
  if (!(await takeOverClaim(ctx.db, ref, { from: record.subject, to: subject }))) {
    throw new Problem('request_in_progress', { retry_after: 1 });
  }
  return await runClaimed(ctx, request, subject);
}

/**
 * The work is done and may be charged, so the caller gets its answer even when the database is away
 * by now. The claim then stays like that of a process that died, and a repeat is answered from what
 * is recorded.
 */
async function logIfNotKept({ log }: Pick<Context, 'log'>, kept: Promise<void>): Promise<void> {
  await kept.catch((error: unknown) => {
    log.warn({ err: error }, 'idempotent answer was not saved');
  });
}
