import type { Context } from '../context.ts';
import type { CompanyId, PersonId } from '../ids.ts';
import { Problem } from '../problem.ts';
import { insertInvitation, removeEndedInvitations } from './invitation-store.ts';
import { hashOfWord, newInvitationWord } from './invitation-word.ts';

const INVITATION_MINUTES = 60;

export type GroupInvitation = {
  /** The name of the bot; undefined while Telegram cannot be asked for it. */
  bot: string | undefined;
  /** Adds the bot to a group of the reader's choice. */
  link: string | undefined;
  /** What does the same when it is written into a group that the bot is in. */
  words: string;
  endsAt: Date;
};

/** How a person brings the bot into a group, which then belongs to the company: once, for an hour. */
export async function inviteToGroup(
  ctx: Pick<Context, 'db' | 'findBot'>,
  { companyId, personId }: { companyId: CompanyId; personId: PersonId },
): Promise<GroupInvitation> {
  if (ctx.findBot === undefined) throw new Problem('no_bot');
  const bot = await ctx.findBot();
  const word = newInvitationWord();
  await removeEndedInvitations(ctx.db, companyId);
  const endsAt = await insertInvitation(ctx.db, {
    companyId,
    invitedBy: personId,
    tokenHash: hashOfWord(word),
    minutes: INVITATION_MINUTES,
  });
  return {
    bot,
    link: bot === undefined ? undefined : `https://t.me/${bot}?startgroup=${word}`,
    words: bot === undefined ? `/start ${word}` : `/start@${bot} ${word}`,
    endsAt,
  };
}
