import type { Parameters } from './parameters.ts';

/** The webhook of a bot. */
export type Webhook = {
  set(settings: WebhookSettings): void;
  /**
   * Sends an update after the pending ones; returns the last HTTP status, 0 for none. Updates of
   * kinds that are not allowed are dropped.
   */
  post(update: object): Promise<number>;
  /** Sends an update once, with a wrong secret token. */
  forge(update: object): Promise<number>;
  /** Retries the pending updates, as Telegram does by itself. */
  repeat(): Promise<number>;
  /** The result of getWebhookInfo. */
  show(): object;
};

export type WebhookSettings = {
  url: string;
  secretToken?: string | undefined;
  allowedUpdates?: readonly string[] | undefined;
};

const CALL_TIMEOUT_MS = 5_000;
const FORGER = { secretToken: 'somebody-else' };

/** `execute` runs the method call that the response to an update may contain. */
export function createWebhook(execute: (call: Parameters) => void): Webhook {
  let settings: WebhookSettings = { url: '' };
  let lastUpdateId = 100_000;
  let lastError: { last_error_date: number; last_error_message: string } | undefined;
  const pending: object[] = [];

  const send = async (update: object, { url, secretToken } = settings): Promise<number> => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secretToken !== undefined && { 'x-telegram-bot-api-secret-token': secretToken }),
        },
        body: JSON.stringify(update),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const body = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
      if (answer.ok && isJson && body !== '') execute(JSON.parse(body));
      return answer.status;
    } catch {
      return 0;
    }
  };
  const repeat = async (): Promise<number> => {
    let status = 0;
    for (let next = pending[0]; next !== undefined && settings.url !== ''; next = pending[0]) {
      status = await send(next);
      if (status < 200 || status > 299) {
        const message =
          status === 0 ? 'Connection refused' : `Wrong response from the webhook: ${status}`;
        lastError = { last_error_date: nowSeconds(), last_error_message: message };
        break;
      }
      pending.shift();
    }
    return status;
  };

  return {
    set(newSettings) {
      settings = newSettings;
      lastError = undefined;
    },
    async post(update) {
      const kinds = settings.allowedUpdates;
      if (kinds !== undefined && !Object.keys(update).some((kind) => kinds.includes(kind)))
        return 0;
      lastUpdateId += 1;
      pending.push({ update_id: lastUpdateId, ...update });
      return await repeat();
    },
    forge: (update) => send({ update_id: ++lastUpdateId, ...update }, { ...settings, ...FORGER }),
    repeat,
    show: () => ({
      url: settings.url,
      has_custom_certificate: false,
      pending_update_count: pending.length,
      max_connections: 40,
      ...(settings.allowedUpdates && { allowed_updates: settings.allowedUpdates }),
      ...lastError,
    }),
  };
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
