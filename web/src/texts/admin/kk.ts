import { admin } from '../kk/admin.ts';
import { adminAbuse } from '../kk/admin-abuse.ts';
import { adminAudit } from '../kk/admin-audit.ts';
import { adminChannels } from '../kk/admin-channels.ts';
import { adminCompanies } from '../kk/admin-companies.ts';
import { adminFigures } from '../kk/admin-figures.ts';
import { adminIncidents } from '../kk/admin-incidents.ts';
import { adminJobs } from '../kk/admin-jobs.ts';
import { adminOverview } from '../kk/admin-overview.ts';
import { adminPayments } from '../kk/admin-payments.ts';
import { adminPrices } from '../kk/admin-prices.ts';
import { adminSearch } from '../kk/admin-search.ts';
import type { AdminTexts } from './ru.ts';

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
} satisfies AdminTexts;
