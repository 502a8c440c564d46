import { admin } from '../kk/admin.ts';
import { adminAudit } from '../kk/admin-audit.ts';
import { adminOverview } from '../kk/admin-overview.ts';
import { adminPayments } from '../kk/admin-payments.ts';
import { adminPrices } from '../kk/admin-prices.ts';
import { adminSearch } from '../kk/admin-search.ts';
import type { AdminTexts } from './ru.ts';

export const kk = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  payments: adminPayments,
  prices: adminPrices,
  search: adminSearch,
} satisfies AdminTexts;
