import { admin } from '../ru/admin.ts';
import { adminAbuse } from '../ru/admin-abuse.ts';
import { adminAudit } from '../ru/admin-audit.ts';
import { adminChannels } from '../ru/admin-channels.ts';
import { adminCompanies } from '../ru/admin-companies.ts';
import { adminFigures } from '../ru/admin-figures.ts';
import { adminIncidents } from '../ru/admin-incidents.ts';
import { adminJobs } from '../ru/admin-jobs.ts';
import { adminOverview } from '../ru/admin-overview.ts';
import { adminPayments } from '../ru/admin-payments.ts';
import { adminPrices } from '../ru/admin-prices.ts';
import { adminSearch } from '../ru/admin-search.ts';

/** The model: the other languages must have every text that stands here. */
export const adminTexts = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  companies: adminCompanies,
  channels: adminChannels,
  incidents: adminIncidents,
  abuse: adminAbuse,
  jobs: adminJobs,
  figures: adminFigures,
  payments: adminPayments,
  prices: adminPrices,
  search: adminSearch,
};
export type AdminTexts = typeof adminTexts;
