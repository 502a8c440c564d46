import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import type { ErrorCode } from '@zhiber/contract/api/errors.ts';
import { Problem } from '../../problem.ts';
import { toErrorReply } from '../transport/errors.ts';

/** Typical calls and answers for the OpenAPI description, by path. */

const SENT = {
  success: true,
  channel: 'whatsapp',
  message_id: '019a86b2-5c3e-7d41-9f0a-3b1c2d4e5f60',
  cost: 3,
  balance: 11047,
};

export const BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  '/otp/send': { phone: '+77011234567', purpose: 'login', channel: 'auto' },
  '/otp/verify': { phone: '+77011234567', code: '482913', purpose: 'login' },
  '/links/shorten': { url: 'https://example.kz/order/42', alias: 'order-42', expires_in: 86400 },
  '/links/send': {
    phone: '77011234567',
    url: 'https://example.kz/order/42',
    channel: 'auto',
    text: 'Ваш заказ готов: :link',
  },
  '/group/send': { group: 'Дежурные', text: 'Новая заявка', channel: 'auto' },
};

const TEST_PHONE = '+77000000000';

/** Calls that work as they are with a test key: the code of this number is always 000000. */
export const TEST_BODY_EXAMPLES: Readonly<Record<string, unknown>> = {
  '/otp/send': { phone: TEST_PHONE, purpose: 'login' },
  '/otp/verify': { phone: TEST_PHONE, code: '000000', purpose: 'login' },
  '/links/shorten': { url: 'https://example.kz/order/42' },
  '/links/send': { phone: TEST_PHONE, url: 'https://example.kz/order/42', channel: 'auto' },
  '/group/send': { group: 'Дежурные', text: 'Новая заявка' },
};

export const ANSWER_EXAMPLES: Readonly<Record<string, unknown>> = {
  '/otp/send': { ...SENT, message: 'Код отправлен через WhatsApp', expires_in: 300 },
  '/otp/verify': { success: true, message: 'Код подтверждён' },
  '/links/shorten': {
    success: true,
    message: 'Короткая ссылка готова',
    short_url: 'https://zhiber.kz/s/order-42',
    expires_in: 86400,
  },
  '/links/send': {
    ...SENT,
    message: 'Ссылка отправлена через WhatsApp',
    short_url: 'https://zhiber.kz/s/Kd7mWq3x',
    expires_in: 2592000,
  },
  '/group/send': { ...SENT, message: 'Сообщение отправлено в группу', cost: 0 },
  '/health': {
    success: true,
    message: 'Сервис работает',
    status: 'ok',
    version: '0.1.0',
    time: '2026-11-15T04:30:00.000Z',
  },
  'GET /sandbox/messages': {
    success: true,
    messages: [
      {
        message_id: SENT.message_id,
        phone: '+77011234567',
        channel: 'whatsapp',
        kind: 'otp',
        text: 'Код: 482913. Никому его не сообщайте.',
        code: '482913',
        link: null,
        at: '2026-11-15T04:30:00.000Z',
      },
    ],
  },
  'DELETE /sandbox/messages': { success: true, message: 'Сообщения удалены' },
};

/** What an error carries beside its code, with likely values. */
const ERROR_FACTS: Partial<Record<ErrorCode, ErrorFacts>> = {
  insufficient_tokens: { required: 3, balance: 1 },
  request_in_progress: { retry_after: 1 },
  invalid_code: { attempts_left: 4 },
  send_rate_limited: { retry_after: 42 },
  daily_limit_reached: { retry_after: 1800 },
  too_many_attempts: { retry_after: 2400 },
  api_rate_limited: { retry_after: 1 },
  spend_cap_reached: { retry_after: 864_000 },
  service_unavailable: { retry_after: 5 },
  delivery_failed: { message_id: SENT.message_id },
  delivery_unconfirmed: { message_id: SENT.message_id },
};

const FIELD_ERRORS: Readonly<Record<string, string>> = {
  wait: 'От 0 до 30 секунд',
  since: 'Время в формате ISO 8601',
};

/** The whole body of an error. `field` is one that the endpoint can miss or refuse. */
export function errorExample(code: ErrorCode, publicUrl: string, field: string | undefined) {
  const errors =
    code === 'validation_error' && field !== undefined
      ? { errors: { [field]: [FIELD_ERRORS[field] ?? 'Обязательное поле'] } }
      : {};
  const problem = new Problem(code, { ...ERROR_FACTS[code], ...errors });
  return toErrorReply(problem, { requestId: 'req_8fK2mQ7xT4', publicUrl }).body;
}
