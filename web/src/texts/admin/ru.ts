import { admin } from '../ru/admin.ts';
import { adminAudit } from '../ru/admin-audit.ts';
import { adminCompanies } from '../ru/admin-companies.ts';
import { adminOverview } from '../ru/admin-overview.ts';

/** The model: the other languages must have every text that stands here. */
export const ru = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  companies: adminCompanies,
};
export type AdminTexts = typeof ru;
