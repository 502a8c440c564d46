import { createHmac } from 'node:crypto';
import type { TakenMessage } from '../frame/journal.ts';
import type { SimulatedReceipt } from '../frame/plan.ts';
import type { Callback } from '../frame/reports.ts';

export type WebhookSender = {
  callbackUrl: string;
  appSecret: string;
  phoneNumberId: string;
  wabaId: string;
};

const FAILURE_DEFAULT = 131026;
const DISPLAY_NUMBER = '77000000000';

/** A signed webhook call with statuses, or with messages from people. */
export function webhook(
  sender: WebhookSender,
  content: { statuses: object[] } | { contacts: object[]; messages: object[] },
): Callback {
  const { phoneNumberId } = sender;
  const metadata = { display_phone_number: DISPLAY_NUMBER, phone_number_id: phoneNumberId };
  return change(sender, 'messages', { messaging_product: 'whatsapp', metadata, ...content });
}

/** A signed webhook call with one change of any field. */
export function change(
  { callbackUrl, appSecret, wabaId }: WebhookSender,
  field: string,
  value: object,
): Callback {
  const time = Number(nowSeconds());
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: wabaId, time, changes: [{ value, field }] }],
  });
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return {
    url: callbackUrl,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  };
}

export function statusOf(
  message: TakenMessage,
  receipt: SimulatedReceipt,
  failure: string | number = FAILURE_DEFAULT,
): object {
  return {
    id: message.id,
    status: receipt,
    timestamp: nowSeconds(),
    recipient_id: message.to,
    ...(message.ref === undefined ? {} : { biz_opaque_callback_data: message.ref }),
    ...(receipt === 'failed' ? { errors: [toError(Number(failure))] } : { pricing: PRICING }),
  };
}

const PRICING = {
  billable: true,
  pricing_model: 'PMP',
  type: 'regular',
  category: 'authentication',
};

function toError(code: number): object {
  const title = code === FAILURE_DEFAULT ? 'Message undeliverable' : `Error ${code}`;
  return { code, title, message: title, error_data: { details: title } };
}

/** A person's message to the business. */
export function inbound(phone: string, text: string): { contacts: object[]; messages: object[] } {
  return {
    contacts: [{ profile: { name: 'Айгүл' }, wa_id: phone }],
    messages: [
      {
        from: phone,
        id: `wamid.in.${phone}.${Date.now()}`,
        timestamp: nowSeconds(),
        type: 'text',
        text: { body: text },
      },
    ],
  };
}

function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1_000));
}
