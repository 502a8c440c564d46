import { ADMIN_ABUSE_ENDPOINTS } from './abuse.ts';
import { ADMIN_AUDIT_ENDPOINTS } from './audit.ts';
import { ADMIN_CHANNELS_ENDPOINTS } from './channels.ts';
import { ADMIN_COMPANY_ENDPOINTS } from './companies.ts';
import type { AdminEndpoint } from './endpoint.ts';
import { ADMIN_FIGURES_ENDPOINTS } from './figures.ts';
import { ADMIN_INCIDENTS_ENDPOINTS } from './incidents.ts';
import { ADMIN_JOBS_ENDPOINTS } from './jobs.ts';
import { ADMIN_OVERVIEW_ENDPOINTS } from './overview.ts';
import { ADMIN_PAYMENT_ENDPOINTS } from './payments.ts';
import { ADMIN_PRICE_ENDPOINTS } from './prices.ts';
import { ADMIN_SEARCH_ENDPOINTS } from './search.ts';
import { ADMIN_SESSION_ENDPOINTS } from './session.ts';

/** Every endpoint of the operator's desk. */
export const ADMIN_ENDPOINTS = {
  ...ADMIN_SESSION_ENDPOINTS,
  ...ADMIN_OVERVIEW_ENDPOINTS,
  ...ADMIN_CHANNELS_ENDPOINTS,
  ...ADMIN_INCIDENTS_ENDPOINTS,
  ...ADMIN_ABUSE_ENDPOINTS,
  ...ADMIN_JOBS_ENDPOINTS,
  ...ADMIN_FIGURES_ENDPOINTS,
  ...ADMIN_AUDIT_ENDPOINTS,
  ...ADMIN_COMPANY_ENDPOINTS,
  ...ADMIN_PAYMENT_ENDPOINTS,
  ...ADMIN_PRICE_ENDPOINTS,
  ...ADMIN_SEARCH_ENDPOINTS,
} as const satisfies Record<string, AdminEndpoint>;
