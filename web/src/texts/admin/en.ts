import { admin } from '../en/admin.ts';
import { adminAbuse } from '../en/admin-abuse.ts';
import { adminAudit } from '../en/admin-audit.ts';
import { adminChannels } from '../en/admin-channels.ts';
import { adminCompanies } from '../en/admin-companies.ts';
import { adminFigures } from '../en/admin-figures.ts';
import { adminIncidents } from '../en/admin-incidents.ts';
import { adminJobs } from '../en/admin-jobs.ts';
import { adminOverview } from '../en/admin-overview.ts';
import { adminPayments } from '../en/admin-payments.ts';
import { adminPrices } from '../en/admin-prices.ts';
import { adminSearch } from '../en/admin-search.ts';
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
