/**
 * WhatsApp by Meta's Cloud API. Follows these pages of the WhatsApp Business Platform
 * (developers.facebook.com, documentation/business-messaging/whatsapp): "Send messages",
 * "Authentication templates", "Template components", "Create a webhook endpoint", "Status messages
 * webhook reference", "Error codes".
 *
 * Meta allows a one-time code in an authentication template only, and no address in such a template.
 * So a code goes in the template; a link goes as free text to people who have written to the
 * business within 24 hours, and in a utility template to everybody else; a code together with a link
 * reaches only those who have written.
 *
 * The operator has these templates approved, each in `ru` and `kk`:
 *   - `codeTemplate`: category AUTHENTICATION, with a copy-code button;
 *   - `linkTemplate`, if links shall reach people who have not written: category UTILITY, a body with
 *     one value, the words of the message without the link («Сообщение: {{1}}. Откройте ссылку
 *     кнопкой ниже.»), and one URL button with the address of our short links and a variable at its
 *     end (`https://zhiber.kz/s/{{1}}`), which gets what follows the last slash of the link.
 *
 * Left out on purpose: groups, which the API has only for groups of its own making, with eight
 * members at most; one-tap and zero-tap buttons, which need the company's own app; sending to
 * business-scoped user ids, which codes may not go to.
 */

import type { Clock } from '../../clock.ts';
import type { Phone } from '../../phone.ts';
import type { Load, Outcome, Recipient } from '../channel.ts';
import { isSuccess } from '../http/http-status.ts';
import { readObject } from '../http/json-object.ts';
import {
  createProviderClient,
  outcomeWithoutAnswer,
  type ProviderAnswer,
} from '../http/provider-client.ts';
import type { Provider } from '../provider.ts';
import { refused, unavailable } from '../verdict.ts';
import { readCloudCallback } from './cloud-callback.ts';
import { checkCloud } from './cloud-check.ts';
import { readRefusal } from './cloud-errors.ts';
import { cloudMessage, type MessageForm } from './cloud-message.ts';

export type WhatsappCloudSettings = {
  /** Where the Graph API is; `https://graph.facebook.com` by default. */
  url?: string | undefined;
  /** The version of the Graph API; `v25.0` by default. */
  version?: string | undefined;
  /** Secret: the access token of a system user with `whatsapp_business_messaging`. */
  token: string;
  /** The id of the number that sends, which is not the number itself. */
  phoneNumberId: string;
  /** The id of the business account; with it, the check looks at the templates too. */
  wabaId?: string | undefined;
  /** Secret: signs what Meta reports to us. */
  appSecret: string;
  /** Secret: our own word, which Meta repeats when the callback address is entered there. */
  verifyToken: string;
  /** The name of the authentication template; see above for what it has to be. */
  codeTemplate: string;
  /** The name of the utility template for links; without it they need an open window. */
  linkTemplate?: string | undefined;
  /** What short links begin with, where it is known: the check compares that template with it. */
  linkBase?: string | undefined;
};

/** Whether a person has written to the business within 24 hours. */
export type IsWindowOpen = (phone: Phone) => Promise<boolean>;

const URL_DEFAULT = 'https://graph.facebook.com';
const VERSION_DEFAULT = 'v25.0';
/** Meta sends up to a thousand receipts at once. */
const CALLBACK_BYTES_MAX = 3 * 1024 * 1024;

export function openWhatsappCloud(
  settings: WhatsappCloudSettings,
  clock: Clock,
  isWindowOpen: IsWindowOpen,
): Provider {
  const client = createProviderClient({ url: settings.url ?? URL_DEFAULT });
  const version = settings.version ?? VERSION_DEFAULT;

  /** Undefined when nothing that Meta allows can carry it to this person now. */
  const formFor = async (to: Recipient, load: Load): Promise<MessageForm | undefined> => {
    if (!('phone' in to) || load === 'group') return undefined;
    if (load === 'code') return 'code_template';
    if (await isWindowOpen(to.phone)) return 'free_text';
    return load === 'text' && settings.linkTemplate !== undefined ? 'link_template' : undefined;
  };

  return {
    name: 'whatsapp-cloud',
    channel: 'whatsapp',
    carries: new Set<Load>(['code', 'text', 'code_with_link']),
    receiptsBy: 'ref',
    deduplicates: false,
    tellsByRef: false,
    canReach: async (to, load) => (await formFor(to, load)) !== undefined,
    async send(message, signal) {
      let form: MessageForm | undefined;
      try {
        form = await formFor(message.to, message.load);
      } catch {
        // Whoever keeps the windows is away and says so itself; here nothing has left.
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

/** A message held for a quality assessment is accepted too: it goes later, or a status says no. */
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
