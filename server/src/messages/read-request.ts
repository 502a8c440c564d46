import { CODE_VERIFIED, SENT_TEXTS } from '@zhiber/contract/api/answer-texts.ts';
import { ERRORS } from '@zhiber/contract/api/errors.ts';
import type { AnswerOf } from '@zhiber/contract/cabinet/endpoint.ts';
import { REDACTED } from '@zhiber/contract/cabinet/request-words.ts';
import type { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/requests.ts';
import type { Context } from '../context.ts';
import type { CompanyId } from '../ids.ts';
import { maskPhone, type Phone } from '../phone.ts';
import { findCall } from './list-requests.ts';
import {
  type AcceptedCall,
  type LoggedCall,
  readSentCall,
  type SentCall,
} from './request-store.ts';

export type RequestDetail = Omit<AnswerOf<typeof REQUEST_ENDPOINTS.request>, 'success'>;
type Bodies = Omit<RequestDetail, 'row'>;
type Fields = Record<string, unknown>;

/**
 * One call with the bodies of its request and its answer; undefined when the company has no such
 * call. Without the right to see phones, they are masked wherever they stand.
 */
export async function readRequest(
  ctx: Pick<Context, 'db' | 'clock' | 'urls'>,
  companyId: CompanyId,
  requestId: string,
  viewer: { canSeePhones: boolean },
): Promise<RequestDetail | undefined> {
  const found = await findCall(ctx, companyId, requestId);
  if (found === undefined) return undefined;
  const bodies =
    'logged' in found
      ? storedBodies(ctx, found.logged)
      : rebuiltBodies(
          ctx,
          found.accepted,
          await readSentCall(ctx.db, companyId, found.accepted.id),
        );
  if (viewer.canSeePhones) return { row: found.row, ...bodies };
  const { request, answer } = bodies;
  return {
    row: found.row,
    ...bodies,
    request: request && withoutPhones(request, found.phone),
    answer: withoutPhones(answer, found.phone),
  };
}

/** The answer is completed with what its columns say: it is the same for every such call. */
function storedBodies({ urls }: Pick<Context, 'urls'>, call: LoggedCall): Bodies {
  const kept = call.answer_body === null ? {} : (JSON.parse(call.answer_body) as Fields);
  const entry: { message: string } | undefined = ERRORS[call.error_code as keyof typeof ERRORS];
  const answer: Fields =
    call.status < 400
      ? { success: true, message: CODE_VERIFIED, ...kept }
      : {
          success: false,
          message: entry?.message,
          error_code: call.error_code,
          request_id: call.request_id,
          docs_url: `${urls.publicUrl}/docs/errors/${call.error_code}`,
          ...kept,
        };
  const request: unknown = call.request_body === null ? null : JSON.parse(call.request_body);
  if (typeof request === 'string')
    return { source: 'broken', request: null, shape: request, answer };
  if (request === null) return { source: 'none', request: null, shape: null, answer };
  return { source: 'stored', request: request as Fields, shape: null, answer };
}

/**
 * What was understood of an accepted send. The balance after it and the lifetime of its code are not
 * known any more.
 */
function rebuiltBodies(
  { urls }: Pick<Context, 'urls'>,
  call: AcceptedCall,
  sent: SentCall,
): Bodies {
  const shortUrl = sent.slug === null ? undefined : `${urls.shortLinkBase}/${sent.slug}`;
  const url = sent.url ?? shortUrl;
  // The short link stands in the text where the placeholder was.
  const text =
    sent.body === null ? undefined : shortUrl ? sent.body.replaceAll(shortUrl, ':link') : sent.body;
  const channel = requestedChannel(sent);
  const phone = `+${call.recipient}`;
  const request: Record<AcceptedCall['kind'], Fields> = {
    otp: { phone, purpose: sent.purpose, channel, ...(url && { link: url }) },
    link: { phone, url, channel, ...(text !== undefined && { text }) },
    group: { group: sent.group_name ?? call.recipient, text, channel, ...(url && { link: url }) },
  };
  return {
    source: 'rebuilt',
    request: request[call.kind],
    shape: null,
    answer: {
      success: true,
      message: SENT_TEXTS[call.kind](sent.channel),
      channel: sent.channel,
      message_id: call.id,
      cost: sent.cost,
      ...(shortUrl && { short_url: shortUrl }),
    },
  };
}

/** One channel is asked for; several are an order of `auto`. */
function requestedChannel({ tried, channel, route }: SentCall): string {
  const channels = new Set([...(tried ?? [channel]), ...route.split(',').filter(Boolean)]);
  return channels.size === 1 ? channel : 'auto';
}

/** Masks the phone of the call, and whatever else is long enough to be one. */
function withoutPhones(fields: Fields, phone: Phone | undefined): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (name === 'message_id' || name === 'request_id') return [name, value];
      if (typeof value !== 'string' && typeof value !== 'number') return [name, value];
      if (name === 'phone') return [name, phone === undefined ? REDACTED : maskPhone(phone)];
      if (typeof value === 'number') return [name, value];
      return [name, value.replaceAll(/\d(?:[\s().-]*\d){6,}/g, REDACTED)];
    }),
  );
}
