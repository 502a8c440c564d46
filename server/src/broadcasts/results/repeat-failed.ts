import { type Actor, recordAuditEvent } from '../../audit-log/audit-log-store.ts';
import type { Context } from '../../context.ts';
import { type CompanyId, newId, type PersonId } from '../../ids.ts';
import { Problem } from '../../problem.ts';
import { readRunOf } from './results.ts';
import { copyFailed, insertCopy } from './results-store.ts';

const NAME_LENGTH_MAX = 200;
const ADDED = ' — повторно';

/**
 * Makes a draft of those recipients of an ended broadcast whom it did not reach, and returns its id.
 * Who may have got the message is not among them, and who has unsubscribed is not sent to.
 */
export async function repeatFailed(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor & { person: { id: PersonId } },
  { companyId, id }: { companyId: CompanyId; id: string },
): Promise<string> {
  const run = await readRunOf(db, companyId, id);
  // While it runs, a failed recipient may still be one that the next channel reaches.
  if (run.ended_at === null) throw new Problem('changed_meanwhile');
  const copyId = newId(clock.now().getTime());
  const name = `${run.name.slice(0, NAME_LENGTH_MAX - ADDED.length)}${ADDED}`;
  await db.transaction(async (tx) => {
    await insertCopy(tx, run, { id: copyId, name, personId: actor.person.id });
    const recipients = await copyFailed(tx, run, copyId);
    if (recipients === 0) throw new Problem('nothing_to_repeat');
    await recordAuditEvent(tx, actor, {
      companyId,
      action: 'broadcast.created',
      object: name,
      after: { repeats: run.name, recipients },
    });
  });
  return copyId;
}
