import { admin } from '../ru/admin.ts';
import { adminAudit } from '../ru/admin-audit.ts';
import { adminOverview } from '../ru/admin-overview.ts';
import { adminPayments } from '../ru/admin-payments.ts';
import { adminPrices } from '../ru/admin-prices.ts';
import { adminSearch } from '../ru/admin-search.ts';

/** The model: the other languages must have every text that stands here. */
export const ru = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  payments: adminPayments,
  prices: adminPrices,
  search: adminSearch,
};
export type AdminTexts = typeof ru;
