import { admin } from '../en/admin.ts';
import { adminAudit } from '../en/admin-audit.ts';
import { adminCompanies } from '../en/admin-companies.ts';
import { adminOverview } from '../en/admin-overview.ts';
import type { AdminTexts } from './ru.ts';

export const en = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  companies: adminCompanies,
} satisfies AdminTexts;
