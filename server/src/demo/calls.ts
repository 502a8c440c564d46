import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import type { ErrorFacts } from '@zhiber/contract/api/error-answer.ts';
import { ERRORS, type ErrorCode } from '@zhiber/contract/api/errors.ts';
import { redactAnswer, redactRequest } from '../abuse/redact-call.ts';
import { maskPhone, type Phone } from '../phone.ts';
import type { Chance } from './random.ts';
import type { Traffic } from './traffic-rows.ts';

const REQUEST_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz';

type Call = {
  chance: Chance;
  at: Date;
  keyId: number;
  endpoint: keyof typeof ENDPOINTS;
  /** Null when it was not understood. */
  phone: Phone | null;
  body: Record<string, unknown>;
  /** Without one the call was a success. */
  error?: ErrorCode;
  facts?: ErrorFacts;
  /** Of a send that failed. */
  message?: { id: string; request_id: string };
};

/** A call that became no message, with its bodies as the request log keeps them. */
export function addCall(traffic: Traffic, call: Call): void {
  const { chance, at, keyId, endpoint, phone, body, error, facts, message } = call;
  const path = `/api${ENDPOINTS[endpoint].path}`;
  const requestId = newRequestId(chance);
  traffic.calls.push({
    at,
    key_id: keyId,
    request_id: message?.request_id ?? requestId,
    path,
    status: error === undefined ? 200 : ERRORS[error].status,
    error_code: error ?? null,
    duration_ms: error === undefined ? chance.whole(4, 22) : chance.whole(2, 14),
    phone: phone && maskPhone(phone),
    channel: typeof body.channel === 'string' ? body.channel : null,
    message_id: message?.id ?? null,
    recipient: phone,
    request_body: redactRequest(path, body),
    answer_body: redactAnswer(path, { success: error === undefined, ...facts }),
  });
}

export function newRequestId(chance: Chance): string {
  return `req_${chance.text(REQUEST_ALPHABET, 16)}`;
}
