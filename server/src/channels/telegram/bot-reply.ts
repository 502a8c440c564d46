import { asObject, readObject } from '../../json-object.ts';
import { isRefusal, type ProviderAnswer } from '../../runtime/provider-client.ts';
import type { BotError } from './bot-errors.ts';

export type BotReply =
  | { ok: true; result: unknown }
  | ({
      ok: false;
      newChatId: string | undefined;
      /** How long it asks to wait, with a 429. */
      retryAfterSeconds: number | undefined;
    } & BotError);

/** The reply of the Bot API; undefined when there is none, or it came from something else. */
export function readBotReply(answer: ProviderAnswer): BotReply | undefined {
  if (answer.kind !== 'answer') return undefined;
  const { status } = answer;
  const body = readObject(answer.text);
  if (body?.ok === true && status === 200) return { ok: true, result: body.result };
  if (body?.ok !== false || !isRefusal(status)) return undefined;
  const { migrate_to_chat_id: newChatId, retry_after } = asObject(body.parameters) ?? {};
  return {
    ok: false,
    status,
    description: String(body.description ?? ''),
    newChatId: Number.isSafeInteger(newChatId) ? String(newChatId) : undefined,
    retryAfterSeconds: Number.isSafeInteger(retry_after) ? Number(retry_after) : undefined,
  };
}
