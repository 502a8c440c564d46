import { GROUP_NAME_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { recordDeed } from '../audit/audit-store.ts';
import type { ClaimOutcome, GroupClaim } from '../channels/provider.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { CompanyId } from '../ids.ts';
import { findGroups, insertFreeGroup } from './group-store.ts';
import { closeInvitation, type FoundInvitation, lockInvitation } from './invitation-store.ts';
import { hashOfWord } from './invitation-word.ts';

const NAMES_MAX = 100;

/**
 * Links the group in which a word of the cabinet was written to the company whose word it is. What
 * comes again, because an answer got lost, is answered the same.
 */
export async function claimGroup(
  ctx: Pick<Context, 'db'>,
  claim: Pick<GroupClaim, 'chatId' | 'title' | 'word'>,
): Promise<ClaimOutcome> {
  const { chatId, title } = claim;
  const tokenHash = hashOfWord(claim.word);
  return await ctx.db.transaction(async (tx) => {
    const invitation = await lockInvitation(tx, tokenHash);
    if (invitation?.chat_id === chatId) return 'linked';
    if (!invitation?.is_open) return 'unknown';
    await closeInvitation(tx, tokenHash, chatId);
    const isLinked = await hasChat(tx, invitation.company_id, chatId);
    if (!isLinked) await link(tx, invitation, { chatId, title });
    return 'linked';
  });
}

async function hasChat(tx: Transaction, companyId: CompanyId, chatId: string): Promise<boolean> {
  const groups = await findGroups(tx, companyId, chatId);
  return groups.some((group) => group.channel === 'telegram' && group.chat_id === chatId);
}

async function link(
  tx: Transaction,
  { company_id: companyId, person_id, person_name }: FoundInvitation,
  { chatId, title }: { chatId: string; title: string },
): Promise<void> {
  for (const name of namesFor(title, chatId)) {
    const id = await insertFreeGroup(tx, { companyId, channel: 'telegram', name, chatId });
    if (id === undefined) continue;
    await recordDeed(
      tx,
      { person: { id: person_id, name: person_name } },
      {
        companyId,
        action: 'group.linked',
        object: name,
        after: { channel: 'telegram', chat_id: chatId },
      },
    );
    return;
  }
  throw new Error('a hundred names of one group were taken');
}

/** The title as a name, or with a number where another group has it. */
function* namesFor(title: string, chatId: string): Generator<string> {
  // Anybody may write into a title what a terminal or a table obeys.
  const plain = title.replaceAll(/[\p{C}\s]+/gu, ' ').trim() || chatId;
  for (let number = 1; number <= NAMES_MAX; number++) {
    const ending = number === 1 ? '' : ` ${number}`;
    yield [...plain].slice(0, GROUP_NAME_LENGTH_MAX - ending.length).join('') + ending;
  }
}
