import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import {
  MESSAGE_ENDPOINTS,
  OVERVIEW_ENDPOINTS,
  REQUEST_ENDPOINTS,
} from '@zhiber/contract/cabinet/messages.ts';
import { PROFILE_ENDPOINTS, SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { FastifyInstance } from 'fastify';
import { createEventStreams } from '../streams/event-stream.ts';
import { addCabinetEndpoint, type Cabinet, type HandlersOf } from './endpoint.ts';
import { MESSAGE_HANDLERS } from './messages.ts';
import { OVERVIEW_HANDLERS } from './overview.ts';
import { PROFILE_HANDLERS } from './profile.ts';
import { REQUEST_HANDLERS } from './requests.ts';
import { SESSION_HANDLERS } from './session.ts';

/** Every endpoint of the cabinet, each under the policy that the contract declares for it. */
export function addCabinet(scope: FastifyInstance, parts: Omit<Cabinet, 'streams'>): void {
  scope.decorateRequest('visitor', undefined);
  const cabinet: Cabinet = { ...parts, streams: createEventStreams(scope) };
  const add = <Endpoints extends Record<string, CabinetEndpoint>>(
    endpoints: Endpoints,
    handlers: HandlersOf<Endpoints>,
  ) => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      addCabinetEndpoint(scope, cabinet, endpoint, handlers[name] as never);
    }
  };
  add(SESSION_ENDPOINTS, SESSION_HANDLERS);
  add(PROFILE_ENDPOINTS, PROFILE_HANDLERS);
  add(OVERVIEW_ENDPOINTS, OVERVIEW_HANDLERS);
  add(MESSAGE_ENDPOINTS, MESSAGE_HANDLERS);
  add(REQUEST_ENDPOINTS, REQUEST_HANDLERS);
}
