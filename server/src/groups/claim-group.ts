import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { recordAuditEvent } from '../audit-log/audit-log-store.ts';
import type { ClaimOutcome, GroupClaim } from '../channels/provider.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { hashOfToken } from '../token.ts';
import {
  closeInvitation,
  type FoundInvitation,
  findGroups,
  insertFreeGroup,
  lockInvitation,
} from './group-store.ts';

const NAMES_MAX = 100;

/**
 * Links a group to the company whose invitation token was posted in it. Idempotent: a repeat after
 * a lost answer gets the same answer.
 */
export async function claimGroup(
  ctx: Pick<Context, 'db'>,
  claim: Omit<GroupClaim, 'answers'>,
): Promise<ClaimOutcome> {
  const tokenHash = hashOfToken(claim.word);
  return await ctx.db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, { tokenHash, channel: claim.channel });
    if (invitation?.chat_id === claim.chatId) return 'linked';
    if (!invitation?.is_open) return 'unknown';
    await closeInvitation(tx, tokenHash, claim.chatId);
    await link(tx, invitation, claim);
    return 'linked';
  });
}

type Chat = Pick<GroupClaim, 'channel' | 'chatId'>;

async function hasChat(
  tx: Transaction,
  companyId: CompanyId,
  { channel, chatId }: Chat,
): Promise<boolean> {
  const groups = await findGroups(tx, companyId, chatId);
  return groups.some((group) => group.channel === channel && group.chat_id === chatId);
}

/** Does nothing when the company has the chat already. */
async function link(
  tx: Transaction,
  { company_id: companyId, person_id, person_name }: FoundInvitation,
  { channel, chatId, title }: Chat & { title: string },
): Promise<void> {
  for (const name of namesFor(title, chatId)) {
    const id = await insertFreeGroup(tx, { companyId, channel, name, chatId });
    if (id === undefined) {
      // The name is taken, or another invitation has linked this chat meanwhile.
      if (await hasChat(tx, companyId, { channel, chatId })) return;
      continue;
    }
    await recordAuditEvent(
      tx,
      { person: { id: person_id, name: person_name } },
      {
        companyId,
        action: 'group.linked',
        object: name,
        after: { channel, chat_id: chatId },
      },
    );
    return;
  }
  throw new Error('a hundred names of one group were taken');
}

/** The title as a name, then with a number when another group has that name. */
function* namesFor(title: string, chatId: string): Generator<string> {
  // Anybody can put control characters into a title, which a terminal or a table would obey.
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim() || chatId;
  for (let number = 1; number <= NAMES_MAX; number++) {
    const ending = number === 1 ? '' : ` ${number}`;
    yield [...plain].slice(0, GROUP_NAME_LENGTH_MAX - ending.length).join('') + ending;
  }
}
