import type { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendPhoneCode } from '../../people/phone-codes.ts';
import { signInByPhone } from '../../people/sign-in-by-phone.ts';
import type { Caller, Started } from '../../people/start-session.ts';
import { Problem } from '../../problem.ts';
import type { HandlersOf } from './endpoint.ts';

const DONE = { success: true } as const;

export const SESSION_HANDLERS: HandlersOf<
  Pick<typeof SESSION_ENDPOINTS, 'sendPhoneCode' | 'signInByPhone'>
> = {
  async sendPhoneCode({ ctx }, { body, origin }) {
    const sent = await sendPhoneCode(ctx, {
      ...body,
      use: 'cabinet',
      requestId: origin.requestId,
    });
    return { success: true, expires_in: sent.expiresIn, resend_after: sent.resendAfter };
  },
  async signInByPhone({ people }, { body, request, reply }) {
    return enter(reply, await signInByPhone(people, body, callerOf(request)));
  },
};

function enter(reply: FastifyReply, { cookies, isHalf }: Started): typeof DONE {
  reply.header('set-cookie', cookies);
  if (isHalf) throw new Problem('second_factor_required');
  return DONE;
}

function callerOf({ headers, ip }: FastifyRequest): Caller {
  return {
    cookie: headers.cookie,
    address: ip,
    device: (headers['user-agent'] ?? '').slice(0, 300),
  };
}
