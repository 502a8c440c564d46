/**
 * WhatsApp through Meta's Cloud API. Follows these pages of the WhatsApp Business Platform
 * (developers.facebook.com, documentation/business-messaging/whatsapp): "Send messages",
 * "Authentication templates", "Template components", "Create a webhook endpoint", "Status messages
 * webhook reference", "Error codes".
 *
 * Meta allows a one-time code in an authentication template only, and no URL in such a template. So
 * a code goes in the template. A link goes as free text to people who have written to the business
 * within 24 hours, and in a utility template to everybody else. A code together with a link reaches
 * only people who have written. A broadcast goes in an approved marketing template of the business
 * account, and while there is none it is not carried.
 *
 * The operator needs these approved templates, each in `ru` and `kk`:
 *   - `codeTemplate`: category AUTHENTICATION, with a copy-code button;
 *   - `linkTemplate`, for links to people who have not written: category UTILITY, a body with one
 *     value, the text of the message without the link («Сообщение: {{1}}. Откройте ссылку кнопкой
 *     ниже.»), and one URL button with the prefix of our short links and a variable at its end
 *     (`https://zhiber.kz/s/{{1}}`), which gets what follows the last slash of the link.
 *
 * Left out on purpose: groups, because the API supports only groups that it created itself, with at
 * most eight members; one-tap and zero-tap buttons, which need the company's own app; and
 * business-scoped user ids, which may not receive codes.
 */

import { readObject } from '../../json-object.ts';
import type { Phone } from '../../phone.ts';
import {
  createProviderClient,
  isSuccess,
  type ProviderAnswer,
} from '../../runtime/provider-client.ts';
import { type Repetition, repeatEvery } from '../../runtime/repeat.ts';
import type { ContentKind, Outcome, OutgoingMessage, Recipient } from '../channel.ts';
import { refused, unavailable } from '../failed-outcome.ts';
import { outcomeWithoutAnswer } from '../http/provider-answer.ts';
import { createUnclearLog } from '../http/unclear-log.ts';
import type { Provider, ProviderBasics, RecordStop } from '../provider.ts';
import { STOP_CONFIRMED } from '../stop-word.ts';
import { readCloudCallback } from './cloud-callback.ts';
import { checkCloud } from './cloud-check.ts';
import { readRefusal } from './cloud-errors.ts';
import { openCloudHealth } from './cloud-health.ts';
import { broadcastMessage, cloudMessage, type MessageForm } from './cloud-message.ts';
import { openCloudTemplates } from './cloud-templates.ts';

export type WhatsappCloudSettings = {
  /** The address of the Graph API; `https://graph.facebook.com` by default. */
  url?: string | undefined;
  /** The version of the Graph API; `v25.0` by default. */
  version?: string | undefined;
  /** Secret: the access token of a system user with `whatsapp_business_messaging`. */
  token: string;
  /** The id of the number that sends, which is not the number itself. */
  phoneNumberId: string;
  /** The id of the business account. Without it its templates are neither checked nor used. */
  wabaId?: string | undefined;
  /** Secret: Meta signs its webhooks with it. */
  appSecret: string;
  /** Secret: our own token, which Meta repeats in the webhook handshake. */
  verifyToken: string;
  /** The name of the authentication template; its requirements are above. */
  codeTemplate: string;
  /** The name of the utility template for links; without it they need an open window. */
  linkTemplate?: string | undefined;
  /** The prefix of short links, if known; the buttons of templates have to lead there. */
  linkBase?: string | undefined;
  /** Meta allows 80 at first; without it broadcasts have no limit. */
  ratePerSecond?: number | undefined;
};

/** Whether a person has written to the business within 24 hours. */
export type IsWindowOpen = (phone: Phone) => Promise<boolean>;

const URL_DEFAULT = 'https://graph.facebook.com';
const VERSION_DEFAULT = 'v25.0';
/** Meta sends up to 1,000 receipts in one webhook. */
const CALLBACK_BYTES_MAX = 3 * 1024 * 1024;

const CARRIES: ReadonlySet<ContentKind> = new Set(['code', 'text', 'code_with_link']);
const CARRIES_BROADCASTS: ReadonlySet<ContentKind> = new Set([...CARRIES, 'broadcast']);
/** A hundred templates of the greatest length, with every letter escaped. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const REFRESH_MS = 5 * 60_000;

const NOT_NOW = refused('WhatsApp не разрешает отправить это сообщение сейчас');
const NO_TEMPLATE = refused('Нет одобренного шаблона WhatsApp для этой рассылки');
/** A look-up failed, so nothing was sent. */
const NO_WINDOW = unavailable('Не удалось узнать, писал ли получатель компании');
const NO_LIST = unavailable('Не удалось узнать, одобрен ли шаблон WhatsApp');
const WRONG_VALUES = refused('Сообщение не подошло к шаблону WhatsApp');

/** What the provider needs of the rest of the server. */
export type WhatsappCloudTools = { isWindowOpen: IsWindowOpen; recordStop?: RecordStop };

const NAME = 'whatsapp-cloud';

export function openWhatsappCloud(
  settings: WhatsappCloudSettings,
  { clock, log }: ProviderBasics,
  { isWindowOpen, recordStop }: WhatsappCloudTools,
): Provider {
  const client = createProviderClient({
    url: settings.url ?? URL_DEFAULT,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  const logUnclear = createUnclearLog({ name: NAME, log, settings });
  const version = settings.version ?? VERSION_DEFAULT;
  const { wabaId } = settings;
  const health = openCloudHealth({ name: NAME, log, clock }, settings);
  const templates =
    wabaId === undefined
      ? undefined
      : openCloudTemplates(client, () => ({ ...settings, version, wabaId }), health.learn);
  let refresh: Repetition | undefined;

  /** Undefined when Meta allows no form of this content to this person now. */
  const findForm = async (
    to: Recipient,
    content: ContentKind,
  ): Promise<MessageForm | undefined> => {
    if (!('phone' in to) || content === 'group' || content === 'broadcast') return undefined;
    if (content === 'code') return 'code_template';
    if (await isWindowOpen(to.phone)) return 'free_text';
    return content === 'text' && settings.linkTemplate !== undefined ? 'link_template' : undefined;
  };

  /** The body of the call, or why there is none. */
  const toBody = async (
    message: OutgoingMessage,
    signal: AbortSignal,
  ): Promise<{ body: object } | { refusal: Outcome }> => {
    if (message.content === 'broadcast') {
      if (message.template === undefined) return { refusal: NO_TEMPLATE };
      const template = await templates?.find(message.template, signal);
      if (template === undefined) return { refusal: NO_TEMPLATE };
      const body = broadcastMessage(message, template);
      return body === undefined ? { refusal: WRONG_VALUES } : { body };
    }
    const form = await findForm(message.to, message.content);
    const body = form === undefined ? undefined : cloudMessage(message, form, settings);
    return body === undefined ? { refusal: NOT_NOW } : { body };
  };
  const post = (body: object, signal: AbortSignal) =>
    client.call({
      method: 'POST',
      path: `/${version}/${settings.phoneNumberId}/messages`,
      headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });

  return {
    name: NAME,
    channel: 'whatsapp',
    get carries() {
      // Until they were read once, a broadcast that needs one must not be taken for impossible.
      const hasTemplates = templates !== undefined && templates.known()?.length !== 0;
      return hasTemplates ? CARRIES_BROADCASTS : CARRIES;
    },
    ratePerSecond: settings.ratePerSecond,
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    canReach: async (to, content) =>
      content === 'broadcast' ? 'phone' in to : (await findForm(to, content)) !== undefined,
    async send(message, signal) {
      const built = await toBody(message, signal).catch(() => undefined);
      if (built === undefined) return message.content === 'broadcast' ? NO_LIST : NO_WINDOW;
      if ('refusal' in built) return built.refusal;
      const answer = await post(built.body, signal);
      const outcome = logUnclear(readOutcome(answer), answer, message);
      if (outcome.result === 'refused' && outcome.isUnsubscribed) {
        // Best effort: the next broadcast to this person is refused for the same reason.
        recordStop?.({ ref: message.ref }).catch(() => undefined);
      }
      return outcome;
    },
    async confirmStop(phone, signal) {
      const text = { preview_url: false, body: STOP_CONFIRMED };
      const to = `+${phone}`;
      await post({ messaging_product: 'whatsapp', to, type: 'text', text }, signal);
    },
    ...(templates !== undefined && { listTemplates: (signal) => templates.list(signal) }),
    state: health.state,
    start() {
      health.start();
      if (templates === undefined) return;
      const run = async () => {
        await templates.list(AbortSignal.timeout(REFRESH_MS));
        return false;
      };
      // What was read before stays in use, and a send looks for its template again.
      refresh = repeatEvery({ pauseMs: REFRESH_MS, onError: () => undefined, run });
      run().catch(() => undefined);
    },
    callbackBytesMax: CALLBACK_BYTES_MAX,
    readCallback: (request) => readCloudCallback(request, settings, { clock, hear: health.hear }),
    async check(signal) {
      const check = await checkCloud(
        client,
        { ...settings, version },
        { readMarketing: async () => (await templates?.list(signal)) ?? [], signal },
      );
      const trouble = check.ok ? health.trouble() : undefined;
      return trouble === undefined
        ? check
        : { ...check, warning: true, detail: `${check.detail} ${trouble}` };
    },
    async stop() {
      await refresh?.stop();
      await client.close();
    },
  };
}

/** A message held for quality assessment is accepted too: it is sent later, or reported failed. */
function readOutcome(answer: ProviderAnswer): Outcome {
  if (answer.kind !== 'answer') return outcomeWithoutAnswer(answer);
  const messageId = isSuccess(answer.status) ? readMessageId(answer.text) : undefined;
  return messageId === undefined
    ? readRefusal(answer)
    : { result: 'accepted', providerId: messageId };
}

function readMessageId(text: string): string | undefined {
  const messages = readObject(text)?.messages;
  const id: unknown = Array.isArray(messages) ? messages[0]?.id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
