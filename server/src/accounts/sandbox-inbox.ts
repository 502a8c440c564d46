import { Problem } from '../problem.ts';
import type { PhoneMessage, VirtualPhone } from '../sandbox/virtual-phone.ts';
import type { Accounts } from './accounts.ts';
import { browserHash } from './browser-hash.ts';
import { listCodeMessages } from './phone-code-store.ts';
import { purposeOf, readPhone } from './phone-codes.ts';

/**
 * What a browser has asked for while signing in to a sandbox, where it reaches no real phone. It has
 * to give the secret with which it asked: the codes of other people are not its business, although
 * the virtual phone has them as well.
 */
export async function readSandboxInbox(
  { ctx, systemKey }: Pick<Accounts, 'ctx' | 'systemKey'>,
  inbox: VirtualPhone,
  asked: { browser: string; phone?: string | undefined },
): Promise<PhoneMessage[]> {
  if (!ctx.channels.isSandbox) throw new Problem('not_found');
  if (asked.phone === undefined) return inbox.lettersTo(browserHash(asked.browser));
  const phone = readPhone(asked.phone);
  const key = await systemKey();
  const purpose = purposeOf('cabinet', asked.browser);
  const own = new Set<string>(await listCodeMessages(ctx.db, { key, phone, purpose }));
  const received = inbox.messages({ keyId: key.id, phone: `+${phone}` });
  return received.filter(({ messageId }) => own.has(messageId));
}
