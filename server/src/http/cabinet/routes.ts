import {
  AUDIT_ENDPOINTS,
  COMPANY_ENDPOINTS,
  TEAM_ENDPOINTS,
} from '@zhiber/contract/cabinet/company.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { PROFILE_ENDPOINTS, SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import type { FastifyInstance } from 'fastify';
import { AUDIT_HANDLERS } from './audit.ts';
import { COMPANY_HANDLERS } from './company.ts';
import { addCabinetEndpoint, type Cabinet, type HandlersOf } from './endpoint.ts';
import { KEY_HANDLERS } from './keys.ts';
import { PROFILE_HANDLERS } from './profile.ts';
import { SESSION_HANDLERS } from './session.ts';
import { TEAM_HANDLERS } from './team.ts';

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
  add(SESSION_ENDPOINTS, SESSION_HANDLERS);
  add(PROFILE_ENDPOINTS, PROFILE_HANDLERS);
  add(COMPANY_ENDPOINTS, COMPANY_HANDLERS);
  add(TEAM_ENDPOINTS, TEAM_HANDLERS);
  add(AUDIT_ENDPOINTS, AUDIT_HANDLERS);
  const { keyUse: _later, ...keyEndpoints } = KEY_ENDPOINTS;
  add(keyEndpoints, KEY_HANDLERS);
}
