import { ADMIN_AUDIT_ENDPOINTS } from './audit.ts';
import { ADMIN_COMPANY_ENDPOINTS } from './companies.ts';
import type { AdminEndpoint } from './endpoint.ts';
import { ADMIN_OVERVIEW_ENDPOINTS } from './overview.ts';
import { ADMIN_SESSION_ENDPOINTS } from './session.ts';

/** Every endpoint of the operator's desk. */
export const ADMIN_ENDPOINTS = {
  ...ADMIN_SESSION_ENDPOINTS,
  ...ADMIN_OVERVIEW_ENDPOINTS,
  ...ADMIN_AUDIT_ENDPOINTS,
  ...ADMIN_COMPANY_ENDPOINTS,
} as const satisfies Record<string, AdminEndpoint>;
