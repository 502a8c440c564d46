import type { Context } from '../context.ts';
import { type CompanyId, type PersonId, randomText } from '../ids.ts';
import { Problem } from '../problem.ts';
import { hashOfToken } from '../token.ts';
import { insertInvitation, removeEndedInvitations } from './group-store.ts';

const INVITATION_MINUTES = 60;

export type GroupInvitation = {
  /** The name of the bot; undefined while Telegram does not answer. */
  bot: string | undefined;
  /** Adds the bot to a group that the reader chooses. */
  link: string | undefined;
  /** Does the same when posted in a group that already has the bot. */
  words: string;
  endsAt: Date;
};

/** Creates an invitation that links a group to the company. Valid once, for an hour. */
export async function inviteToGroup(
  ctx: Pick<Context, 'db' | 'findBot'>,
  { companyId, personId }: { companyId: CompanyId; personId: PersonId },
): Promise<GroupInvitation> {
  if (ctx.findBot === undefined) throw new Problem('no_bot');
  const bot = await ctx.findBot();
  const token = newInvitationToken();
  await removeEndedInvitations(ctx.db, companyId);
  const endsAt = await insertInvitation(ctx.db, {
    companyId,
    invitedBy: personId,
    tokenHash: hashOfToken(token),
    minutes: INVITATION_MINUTES,
  });
  return {
    bot,
    link: bot === undefined ? undefined : `https://t.me/${bot}?startgroup=${token}`,
    words: bot === undefined ? `/start ${token}` : `/start@${bot} ${token}`,
    endsAt,
  };
}

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const LENGTH = 24;

/** Only characters that a Telegram link may carry. The prefix tells it from any other parameter. */
export function newInvitationToken(): string {
  return `group-${randomText(ALPHABET, LENGTH)}`;
}
