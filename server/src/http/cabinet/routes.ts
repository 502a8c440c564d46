import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { GROUP_ENDPOINTS, LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { FastifyInstance } from 'fastify';
import { createEventStreams } from '../streams/event-stream.ts';
import { addCabinetEndpoint, type Cabinet, type HandlersOf } from './endpoint.ts';
import { GROUP_HANDLERS } from './groups.ts';
import { LINK_HANDLERS } from './links.ts';
import { PLAYGROUND_HANDLERS } from './playground.ts';
import { SESSION_HANDLERS } from './session.ts';

/** Every endpoint of the cabinet, each under the policy that the contract declares for it. */
export function addCabinet(scope: FastifyInstance, parts: Omit<Cabinet, 'streams'>): void {
  const cabinet: Cabinet = { ...parts, streams: createEventStreams(scope) };
  scope.decorateRequest('visitor', undefined);
  const add = <Endpoints extends Record<string, CabinetEndpoint>>(
    endpoints: Endpoints,
    handlers: HandlersOf<Endpoints>,
  ) => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      addCabinetEndpoint(scope, cabinet, endpoint, handlers[name] as never);
    }
  };
  const { sendPhoneCode, signInByPhone } = SESSION_ENDPOINTS;
  add({ sendPhoneCode, signInByPhone }, SESSION_HANDLERS);
  add(LINK_ENDPOINTS, LINK_HANDLERS);
  add(GROUP_ENDPOINTS, GROUP_HANDLERS);
  add(PLAYGROUND_ENDPOINTS, PLAYGROUND_HANDLERS);
}
