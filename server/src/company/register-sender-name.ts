import type { Actor } from '../audit-log/audit-log-store.ts';
import { recordOperatorAct } from '../audit-log/operator-audit-store.ts';
import type { Context } from '../context.ts';
import { deleteSenderName, insertSenderName } from './sender-name-store.ts';

/** Adds a name that the mobile operators have registered. False when it is there already. */
export async function registerSenderName(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { name, note }: { name: string; note: string | null },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!(await insertSenderName(tx, { name, note }))) return false;
    const after = note === null ? undefined : { note };
    await recordOperatorAct(tx, actor, { action: 'sender.registered', object: name, after });
    return true;
  });
}

/** False when there is no such name, or a company uses it. */
export async function removeSenderName(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  name: string,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    if (!(await deleteSenderName(tx, name))) return false;
    await recordOperatorAct(tx, actor, { action: 'sender.removed', object: name });
    return true;
  });
}
