import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Started } from '../../../people/session/start-session.ts';
import { Problem } from '../../../problem.ts';

export const DONE = { success: true } as const;

const DEVICE_LENGTH_MAX = 300;

/** The browser of a request. */
export function callerOf({ headers, ip }: FastifyRequest): Caller {
  const device = (headers['user-agent'] ?? '').slice(0, DEVICE_LENGTH_MAX);
  return { cookie: headers.cookie, address: ip, device };
}

/** Gives the browser its session; one that lacks its second factor is told so. */
export function enter(reply: FastifyReply, { cookies, isHalf }: Started): typeof DONE {
  reply.header('set-cookie', cookies);
  if (isHalf) throw new Problem('second_factor_required');
  return DONE;
}
