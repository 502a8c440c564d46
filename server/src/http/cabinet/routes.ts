import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { FastifyInstance } from 'fastify';
import { addCabinetEndpoint, type Cabinet, type HandlersOf } from './endpoint.ts';
import { SESSION_HANDLERS } from './session.ts';

/** Every endpoint of the cabinet, each under the policy that the contract declares for it. */
export function addCabinet(scope: FastifyInstance, cabinet: Cabinet): void {
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
}
