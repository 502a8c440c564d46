import type { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { recordEvent } from '../../audit-log/audit-log.ts';
import type { Context } from '../../context.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { readOwnKey } from '../../keys/manage-keys.ts';
import { Problem } from '../../problem.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { PhoneMessage } from '../../sandbox/virtual-phone.ts';
import { OPERATIONS } from '../api/operations.ts';
import { runAsApiCall } from '../api/run-as-api-call.ts';
import { shown } from '../pages/inbox.ts';
import type { EventStream, StreamOwner } from '../transport/event-stream.ts';
import { actorOf, type HandlersOf } from './endpoint.ts';

/** How many earlier messages a new stream replays. */
const REPLAYED_MAX = 50;

export const PLAYGROUND_HANDLERS: HandlersOf<typeof PLAYGROUND_ENDPOINTS> = {
  async runOperation({ ctx, limiter }, call) {
    const { companyId, origin } = call;
    const { key_id, operation: name, body } = call.body;
    const key = await readOwnKey(ctx, companyId, key_id);
    if (key.isRevoked || key.isExpired) throw new Problem('key_not_active');
    const operation = OPERATIONS[name];
    if (!key.isTest) {
      // Recorded before the call runs: no real send without an audit entry.
      await recordEvent(ctx, actorOf(call.user, call.origin), {
        companyId,
        action: 'playground.sent',
        object: operation.path,
        after: { key_id },
      });
    }
    const { requestId } = origin;
    const done = await runAsApiCall({ ctx, limiter }, { key, operation, body, requestId });
    return { success: true, ...done, request_id: requestId };
  },

  async phoneMessages({ ctx, sandbox }, { companyId, query }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    const messages = hasVirtualPhone(ctx, key) ? listPhoneMessages(sandbox, key) : [];
    return { success: true, messages: messages.map(shown) };
  },

  async clearPhone({ ctx, sandbox }, { companyId, query }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    if (hasVirtualPhone(ctx, key)) sandbox.phone.clear({ keyId: key.id });
    return { success: true };
  },

  async phoneEvents({ ctx, sandbox, streams }, { companyId, query, user, request, reply }) {
    const key = await readOwnKey(ctx, companyId, query.key_id);
    if (!hasVirtualPhone(ctx, key)) throw new Problem('not_found');
    const { sessionId, personId } = user;
    const owner: StreamOwner = { sessionId, personId, companyId, right: 'playground.use' };
    follow(sandbox, key, streams.open(request, reply, owner));
    return reply;
  },
};

/** A live key sends to real phones, except in sandbox mode. */
function hasVirtualPhone(ctx: Context, key: ApiKey): boolean {
  return key.isTest || ctx.channels.isSandbox;
}

function listPhoneMessages(sandbox: Sandbox, { id: keyId, companyId }: ApiKey): PhoneMessage[] {
  const messages = sandbox.phone.messages({ keyId });
  return messages.filter((message) => message.companyId === companyId);
}

/** Streams the messages of one key that reach the virtual phone, and their receipts. */
function follow(sandbox: Sandbox, key: ApiKey, { send, onEnd }: EventStream): void {
  const sentIds = new Set<string>();
  const sendMessage = (message: PhoneMessage) => {
    if (message.keyId !== key.id || message.companyId !== key.companyId) return;
    sentIds.add(message.messageId);
    send('message', shown(message));
  };
  for (const message of listPhoneMessages(sandbox, key).slice(-REPLAYED_MAX)) sendMessage(message);
  send('replayed', {});
  onEnd(sandbox.phone.listen(sendMessage));
  onEnd(
    sandbox.onChange((messageId) => {
      if (sentIds.has(messageId)) send('receipt', { message_id: messageId });
    }),
  );
}
