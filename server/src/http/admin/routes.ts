import { ADMIN_ABUSE_ENDPOINTS } from '@zhiber/contract/admin/abuse.ts';
import { ADMIN_AUDIT_ENDPOINTS } from '@zhiber/contract/admin/audit.ts';
import { ADMIN_CHANNELS_ENDPOINTS } from '@zhiber/contract/admin/channels.ts';
import { ADMIN_COMPANY_ENDPOINTS } from '@zhiber/contract/admin/companies.ts';
import type { AdminEndpoint } from '@zhiber/contract/admin/endpoint.ts';
import { ADMIN_FIGURES_ENDPOINTS } from '@zhiber/contract/admin/figures.ts';
import { ADMIN_INCIDENTS_ENDPOINTS } from '@zhiber/contract/admin/incidents.ts';
import { ADMIN_JOBS_ENDPOINTS } from '@zhiber/contract/admin/jobs.ts';
import { ADMIN_OVERVIEW_ENDPOINTS } from '@zhiber/contract/admin/overview.ts';
import { ADMIN_PAYMENT_ENDPOINTS } from '@zhiber/contract/admin/payments.ts';
import { ADMIN_PRICE_ENDPOINTS } from '@zhiber/contract/admin/prices.ts';
import { ADMIN_SEARCH_ENDPOINTS } from '@zhiber/contract/admin/search.ts';
import { ADMIN_SESSION_ENDPOINTS } from '@zhiber/contract/admin/session.ts';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../problem.ts';
import { ADMIN_ABUSE_HANDLERS } from './abuse.ts';
import { ADMIN_AUDIT_HANDLERS } from './audit.ts';
import { ADMIN_CHANNELS_HANDLERS } from './channels.ts';
import { ADMIN_COMPANY_HANDLERS } from './companies.ts';
import { type Admin, type AdminHandlersOf, addAdminEndpoint, readFiles } from './endpoint.ts';
import { ADMIN_FIGURES_HANDLERS } from './figures.ts';
import { ADMIN_INCIDENTS_HANDLERS } from './incidents.ts';
import { ADMIN_JOBS_HANDLERS } from './jobs.ts';
import { ADMIN_OVERVIEW_HANDLERS } from './overview.ts';
import { ADMIN_PAYMENT_HANDLERS } from './payments.ts';
import { ADMIN_PRICE_HANDLERS } from './prices.ts';
import { ADMIN_SEARCH_HANDLERS } from './search.ts';
import { ADMIN_SESSION_HANDLERS } from './session.ts';

/** Registers every endpoint of the operator's desk under the policy that the contract declares. */
export function addAdmin(scope: FastifyInstance, admin: Admin): void {
  scope.decorateRequest('operator', undefined);
  readFiles(scope);
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
  add(ADMIN_CHANNELS_ENDPOINTS, ADMIN_CHANNELS_HANDLERS);
  add(ADMIN_INCIDENTS_ENDPOINTS, ADMIN_INCIDENTS_HANDLERS);
  add(ADMIN_ABUSE_ENDPOINTS, ADMIN_ABUSE_HANDLERS);
  add(ADMIN_JOBS_ENDPOINTS, ADMIN_JOBS_HANDLERS);
  add(ADMIN_FIGURES_ENDPOINTS, ADMIN_FIGURES_HANDLERS);
  add(ADMIN_AUDIT_ENDPOINTS, ADMIN_AUDIT_HANDLERS);
  add(ADMIN_COMPANY_ENDPOINTS, ADMIN_COMPANY_HANDLERS);
  add(ADMIN_PAYMENT_ENDPOINTS, ADMIN_PAYMENT_HANDLERS);
  add(ADMIN_PRICE_ENDPOINTS, ADMIN_PRICE_HANDLERS);
  add(ADMIN_SEARCH_ENDPOINTS, ADMIN_SEARCH_HANDLERS);
  // The document of the pages answers every other address below `/admin`.
  scope.all('/*', async () => {
    throw new Problem('not_found');
  });
}
