/**
 * WhatsApp through Meta's Cloud API. Follows these pages of the WhatsApp Business Platform
 * (developers.facebook.com, documentation/business-messaging/whatsapp): "Send messages",
 * "Authentication templates", "Template components", "Create a webhook endpoint", "Status messages
 * webhook reference", "Error codes".
 *
 * Meta allows a one-time code in an authentication template only, and no URL in such a template. So
 * a code goes in the template. A link goes as free text to people who have written to the business
 * within 24 hours, and in a utility template to everybody else. A code together with a link reaches
 * only people who have written.
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

import type { Clock } from '../../clock.ts';
import { readObject } from '../../json-object.ts';
import type { Phone } from '../../phone.ts';
import {
  createProviderClient,
  isSuccess,
  type ProviderAnswer,
} from '../../runtime/provider-client.ts';
import type { ContentKind, Outcome, Recipient } from '../channel.ts';
import { refused, unavailable } from '../failed-outcome.ts';
import { outcomeWithoutAnswer } from '../http/provider-answer.ts';
import type { Provider } from '../provider.ts';
import { readCloudCallback } from './cloud-callback.ts';
import { checkCloud } from './cloud-check.ts';
import { readRefusal } from './cloud-errors.ts';
import { cloudMessage, type MessageForm } from './cloud-message.ts';

export type WhatsappCloudSettings = {
  /** The address of the Graph API; `https://graph.facebook.com` by default. */
  url?: string | undefined;
  /** The version of the Graph API; `v25.0` by default. */
  version?: string | undefined;
  /** Secret: the access token of a system user with `whatsapp_business_messaging`. */
  token: string;
  /** The id of the number that sends, which is not the number itself. */
  phoneNumberId: string;
  /** The id of the business account; with it, the check covers the templates too. */
  wabaId?: string | undefined;
  /** Secret: Meta signs its webhooks with it. */
  appSecret: string;
  /** Secret: our own token, which Meta repeats in the webhook handshake. */
  verifyToken: string;
  /** The name of the authentication template; its requirements are above. */
  codeTemplate: string;
  /** The name of the utility template for links; without it they need an open window. */
  linkTemplate?: string | undefined;
  /** The prefix of short links, if known; the check compares the link template with it. */
  linkBase?: string | undefined;
};

/** Whether a person has written to the business within 24 hours. */
export type IsWindowOpen = (phone: Phone) => Promise<boolean>;

const URL_DEFAULT = 'https://graph.facebook.com';
const VERSION_DEFAULT = 'v25.0';
/** Meta sends up to 1,000 receipts in one webhook. */
const CALLBACK_BYTES_MAX = 3 * 1024 * 1024;

export function openWhatsappCloud(
  settings: WhatsappCloudSettings,
  clock: Clock,
  isWindowOpen: IsWindowOpen,
): Provider {
  const client = createProviderClient({ url: settings.url ?? URL_DEFAULT });
  const version = settings.version ?? VERSION_DEFAULT;

  /** Undefined when Meta allows no form of this content to this person now. */
  const findForm = async (
    to: Recipient,
    content: ContentKind,
  ): Promise<MessageForm | undefined> => {
    if (!('phone' in to) || content === 'group') return undefined;
    if (content === 'code') return 'code_template';
    if (await isWindowOpen(to.phone)) return 'free_text';
    return content === 'text' && settings.linkTemplate !== undefined ? 'link_template' : undefined;
  };

  return {
    name: 'whatsapp-cloud',
    channel: 'whatsapp',
    carries: new Set<ContentKind>(['code', 'text', 'code_with_link']),
    receiptKey: 'ref',
    deduplicates: false,
    canQueryByRef: false,
    canReach: async (to, content) => (await findForm(to, content)) !== undefined,
    async send(message, signal) {
      let form: MessageForm | undefined;
      try {
        form = await findForm(message.to, message.content);
      } catch {
        // The look-up failed and reports that itself; nothing was sent.
        return unavailable('Не удалось узнать, писал ли получатель компании');
      }
      const body = form === undefined ? undefined : cloudMessage(message, form, settings);
      if (body === undefined) {
        return refused('WhatsApp не разрешает отправить это сообщение сейчас');
      }
      const answer = await client.call({
        method: 'POST',
        path: `/${version}/${settings.phoneNumberId}/messages`,
        headers: {
          authorization: `Bearer ${settings.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
        signal,
      });
      return readOutcome(answer);
    },
    callbackBytesMax: CALLBACK_BYTES_MAX,
    readCallback: (request) => readCloudCallback(request, settings, clock),
    check: (signal) => checkCloud(client, { ...settings, version }, signal),
    stop: () => client.close(),
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
