import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';

/** The facts that an error of this kind carries beside its code, with likely values. */
const EXAMPLE_FACTS: Partial<Record<ErrorCode, ErrorFacts>> = {
  insufficient_tokens: { required: 3, balance: 1 },
  validation_error: { errors: { channel: ['Выберите whatsapp, telegram, sms или auto'] } },
  invalid_code: { attempts_left: 4 },
  send_rate_limited: { retry_after: 42 },
  daily_limit_reached: { retry_after: 1800 },
  too_many_attempts: { retry_after: 2400 },
  api_rate_limited: { retry_after: 1 },
  spend_cap_reached: { retry_after: 864_000 },
  service_unavailable: { retry_after: 5 },
  delivery_failed: { message_id: '0199f3a2-6c1e-7b54-9d0a-3f1c2b7e8a90' },
  delivery_unconfirmed: { message_id: '0199f3a2-6c1e-7b54-9d0a-3f1c2b7e8a90' },
};

/** The body that the API answers with, as a reader of the page would see it. */
export function exampleAnswer(code: ErrorCode, siteUrl: string): string {
  const answer = {
    success: false,
    message: ERRORS[code].message,
    error_code: code,
    request_id: 'req_8fK2mQ7xT4',
    docs_url: `${siteUrl}/docs/errors/${code}`,
    ...EXAMPLE_FACTS[code],
  };
  return JSON.stringify(answer, null, 2);
}
