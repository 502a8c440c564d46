import { createTextsHook } from './lazy-texts.ts';
import type { webhooks } from './ru/webhooks.ts';

export type WebhookTexts = typeof webhooks;

/** The texts of webhooks. */
export const useWebhookTexts = createTextsHook<WebhookTexts>({
  ru: async () => (await import('./ru/webhooks.ts')).webhooks,
  kk: async () => (await import('./kk/webhooks.ts')).webhooks,
  en: async () => (await import('./en/webhooks.ts')).webhooks,
});
