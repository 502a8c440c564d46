import type { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { recordDeed } from '../../../audit/audit-store.ts';
import type { Context } from '../../../context.ts';
import type { CompanyId } from '../../../ids.ts';
import type { ApiKey } from '../../../keys/api-key.ts';
import { findOwnKey } from '../../../keys/key-store.ts';
import { Problem } from '../../../problem.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import type { PhoneMessage } from '../../../sandbox/virtual-phone.ts';
import { OPERATIONS } from '../../api/operations.ts';
import { runOutside } from '../../api/run-outside.ts';
import { shown } from '../../sandbox/inbox.ts';
import type { EventStream } from '../../streams/event-stream.ts';
import { actorOf } from '../frame/actor.ts';
import type { HandlersOf } from '../frame/endpoint.ts';

/** Messages that a stream begins with. */
const REPLAYED_MAX = 50;

export const PLAYGROUND_HANDLERS: HandlersOf<typeof PLAYGROUND_ENDPOINTS> = {
  async runOperation({ ctx, limiter }, call) {
    const { companyId, origin } = call;
    const { key_id, operation: name, body } = call.body;
    const key = await readOwnKey(ctx, companyId, key_id);
    if (key.isRevoked) throw new Problem('key_not_active');
    const operation = OPERATIONS[name];
    if (!key.isTest) {
      // Before it runs: nothing is sent in earnest without its record.
      await ctx.db.transaction((tx) =>
        recordDeed(tx, actorOf(call.visitor, call.origin), {
          companyId,
          action: 'playground.sent',
          object: operation.path,
          after: { key_id },
        }),
      );
    }
    const { requestId } = origin;
    const done = await runOutside({ ctx, limiter }, { key, operation, body, requestId });
    return { success: true, ...done, request_id: requestId };
  },

  async phoneMessages({ ctx, sandbox }, { companyId, query }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    const messages = hasPhone(ctx, key) ? messagesOf(sandbox, key) : [];
    return { success: true, messages: messages.map(shown) };
  },

  async clearPhone({ ctx, sandbox }, { companyId, query }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    if (hasPhone(ctx, key)) sandbox.phone.clear({ keyId: key.id });
    return { success: true };
  },

  async phoneEvents({ ctx, sandbox, streams }, { companyId, query, visitor, request, reply }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    if (!hasPhone(ctx, key)) throw new Problem('not_found');
    follow(sandbox, key, streams.open(request, reply, visitor.sessionId));
    return reply;
  },
};

/** Somebody else's key is as unknown as none. */
async function readOwnKey(ctx: Context, companyId: CompanyId, keyId: number): Promise<ApiKey> {
  const key = await findOwnKey(ctx.db, companyId, keyId);
  if (key === undefined) throw new Problem('not_found');
  return key;
}

/** What a live key sends goes to real phones, unless nothing leaves this machine. */
function hasPhone(ctx: Context, key: ApiKey): boolean {
  return key.isTest || ctx.channels.isSandbox;
}

function messagesOf(sandbox: Sandbox, { id: keyId, companyId }: ApiKey): PhoneMessage[] {
  const messages = sandbox.phone.messages({ keyId });
  return messages.filter((message) => message.companyId === companyId);
}

/** Tells a page of what comes to the phone from one key, and of receipts for it. */
function follow(sandbox: Sandbox, key: ApiKey, { send, onEnd }: EventStream): void {
  const told = new Set<string>();
  const tell = (message: PhoneMessage) => {
    if (message.keyId !== key.id || message.companyId !== key.companyId) return;
    told.add(message.messageId);
    send('message', shown(message));
  };
  for (const message of messagesOf(sandbox, key).slice(-REPLAYED_MAX)) tell(message);
  onEnd(sandbox.phone.listen(tell));
  onEnd(
    sandbox.onChange((messageId) => {
      if (told.has(messageId)) send('receipt', { message_id: messageId });
    }),
  );
}
