import type { GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { Context } from '../context.ts';
import { type CompanyId, type PersonId, randomText } from '../ids.ts';
import { Problem } from '../problem.ts';
import { hashOfToken } from '../token.ts';
import { insertInvitation, removeEndedInvitations } from './group-store.ts';

const INVITATION_MINUTES = 60;

export type GroupInvitation = {
  /** A bot's name or a phone number to add to the group; undefined while that is not known. */
  account: string | undefined;
  /** Adds the bot to a group that the reader chooses. */
  link: string | undefined;
  /** Links the group in which it is posted, once the account is there. */
  words: string;
  endsAt: Date;
};

/** Creates an invitation that links a group to the company. Valid once, for an hour. */
export async function inviteToGroup(
  ctx: Pick<Context, 'db' | 'groupAccounts'>,
  request: { companyId: CompanyId; personId: PersonId; channel: GroupChannel },
): Promise<GroupInvitation> {
  const { companyId, personId, channel } = request;
  const findAccount = ctx.groupAccounts?.[channel];
  if (findAccount === undefined) throw new Problem('groups_not_connected');
  const account = await findAccount();
  const token = newInvitationToken();
  await removeEndedInvitations(ctx.db, companyId);
  const endsAt = await insertInvitation(ctx.db, {
    companyId,
    channel,
    invitedBy: personId,
    tokenHash: hashOfToken(token),
    minutes: INVITATION_MINUTES,
  });
  const isBot = channel === 'telegram' && account !== undefined;
  return {
    account,
    link: isBot ? `https://t.me/${account}?startgroup=${token}` : undefined,
    words: channel === 'telegram' ? `/start${isBot ? `@${account}` : ''} ${token}` : token,
    endsAt,
  };
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const LENGTH = 24;

/** Only characters that a Telegram link may carry. The prefix tells it from any other parameter. */
export function newInvitationToken(): string {
  return `group-${randomText(ALPHABET, LENGTH)}`;
}
