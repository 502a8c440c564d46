/**
 * The waits that Telegram has asked for with 429 and `retry_after`. Most of its limits are per chat;
 * that of the whole bot is not told apart, but shows in several chats at once. A call before a wait
 * is over prolongs it.
 */
export type FloodWaits = {
  /** What must not be called now: the chat, or the whole bot; undefined when it may be. */
  find(chatId: string): 'chat' | 'bot' | undefined;
  /** Called for each 429. Tells whether the whole bot has to wait, or this chat alone. */
  add(chatId: string, retryAfterSeconds: number): 'chat' | 'bot';
};

/** So many chats within the window are no coincidence. */
const CHATS_OF_A_FLOOD = 3;
const WINDOW_MS = 5_000;
/** Chats that are over are forgotten when there are more. */
const KEPT_MAX = 1_000;

type Wait = { askedAtMs: number; untilMs: number };

export function createFloodWaits(nowMs: () => number = () => performance.now()): FloodWaits {
  const chats = new Map<string, Wait>();
  let botUntilMs = Number.NEGATIVE_INFINITY;

  const forgetPast = (now: number) => {
    if (chats.size <= KEPT_MAX) return;
    for (const [chatId, { askedAtMs, untilMs }] of chats)
      if (untilMs <= now && askedAtMs + WINDOW_MS < now) chats.delete(chatId);
  };

  return {
    find(chatId) {
      const now = nowMs();
      if (now < botUntilMs) return 'bot';
      const wait = chats.get(chatId);
      return wait !== undefined && now < wait.untilMs ? 'chat' : undefined;
    },
    add(chatId, retryAfterSeconds) {
      const now = nowMs();
      chats.set(chatId, { askedAtMs: now, untilMs: now + retryAfterSeconds * 1_000 });
      forgetPast(now);
      const recent = [...chats.values()].filter(({ askedAtMs }) => askedAtMs >= now - WINDOW_MS);
      if (recent.length < CHATS_OF_A_FLOOD) return 'chat';
      // The shortest of them: one chat may have a long wait of its own.
      const shortestMs = Math.min(...recent.map(({ untilMs }) => untilMs));
      botUntilMs = Math.max(botUntilMs, shortestMs);
      return 'bot';
    },
  };
}
