import { admin } from '../kk/admin.ts';
import { adminAudit } from '../kk/admin-audit.ts';
import { adminCompanies } from '../kk/admin-companies.ts';
import { adminOverview } from '../kk/admin-overview.ts';
import type { AdminTexts } from './ru.ts';

export const kk = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  companies: adminCompanies,
} satisfies AdminTexts;
