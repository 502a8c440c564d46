import { ADMIN_AUDIT_ENDPOINTS } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_COMPANY_ENDPOINTS } from '@zhiber/contract/admin/companies.ts';
import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import { ADMIN_OVERVIEW_ENDPOINTS } from '@zhiber/contract/admin/overview.ts';
import { ADMIN_SESSION_ENDPOINTS } from '@zhiber/contract/admin/session.ts';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import { ADMIN_AUDIT_HANDLERS } from './audit.ts';
import { ADMIN_COMPANY_HANDLERS } from './companies.ts';
import { type Admin, type AdminHandlersOf, addAdminEndpoint } from './endpoint.ts';
import { ADMIN_OVERVIEW_HANDLERS } from './overview.ts';
import { ADMIN_SESSION_HANDLERS } from './session.ts';

/** Registers every endpoint of the operator's desk under the policy that the contract declares. */
export function addAdmin(scope: FastifyInstance, admin: Admin): void {
  scope.decorateRequest('operator', undefined);
  const add = <Endpoints extends Record<string, AdminEndpoint>>(
    endpoints: Endpoints,
    handlers: AdminHandlersOf<Endpoints>,
  ) => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      addAdminEndpoint(scope, admin, endpoint, handlers[name] as never);
    }
  };
  add(ADMIN_SESSION_ENDPOINTS, ADMIN_SESSION_HANDLERS);
  add(ADMIN_OVERVIEW_ENDPOINTS, ADMIN_OVERVIEW_HANDLERS);
  add(ADMIN_AUDIT_ENDPOINTS, ADMIN_AUDIT_HANDLERS);
  add(ADMIN_COMPANY_ENDPOINTS, ADMIN_COMPANY_HANDLERS);
  // The document of the pages answers every other address below `/admin`.
  scope.all('/*', async () => {
    throw new Problem('not_found');
  });
}
