import type { BroadcastState } from '@zhiber/contract/cabinet/broadcast-words.ts';
import { hasRight, type Role } from '@zhiber/contract/cabinet/rights.ts';
import type { PersonId } from '../../ids.ts';

/** Whether a company wants a second person to agree to a broadcast of this size. */
export function needsApproval(
  { approvalAbove }: { approvalAbove: number | null },
  recipients: number,
): boolean {
  return approvalAbove !== null && recipients > approvalAbove;
}

export type AskedBroadcast = {
  state: BroadcastState;
  createdBy: PersonId | null;
  /** Null while nobody has been asked. */
  approvalAskedBy: PersonId | null;
};

/** A draft that waits for a second person, and cannot be changed meanwhile. */
export function isAwaitingApproval({
  state,
  approvalAskedBy,
}: Pick<AskedBroadcast, 'state' | 'approvalAskedBy'>): boolean {
  return state === 'draft' && approvalAskedBy !== null;
}

/** Neither the author nor the one who asked can be the second person. */
export function canApprove(
  broadcast: AskedBroadcast,
  { personId, role }: { personId: PersonId; role: Role },
): boolean {
  if (!isAwaitingApproval(broadcast) || !hasRight(role, 'broadcasts.approve')) return false;
  return personId !== broadcast.createdBy && personId !== broadcast.approvalAskedBy;
}
