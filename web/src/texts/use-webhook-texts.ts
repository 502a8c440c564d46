import { createTextsHook } from './lazy-texts.ts';
import type { webhooks } from './ru/webhooks.ts';

export type WebhookTexts = typeof webhooks;

/** The texts of webhooks. */
export const useWebhookTexts = createTextsHook(
  {
    ru: () => import('./ru/webhooks.ts'),
    kk: () => import('./kk/webhooks.ts'),
    en: () => import('./en/webhooks.ts'),
  },
  'webhooks',
);
