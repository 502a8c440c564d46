import { admin } from '../en/admin.ts';
import { adminAudit } from '../en/admin-audit.ts';
import { adminOverview } from '../en/admin-overview.ts';
import { adminPayments } from '../en/admin-payments.ts';
import { adminPrices } from '../en/admin-prices.ts';
import { adminSearch } from '../en/admin-search.ts';
import type { AdminTexts } from './ru.ts';

export const en = {
  frame: admin,
  audit: adminAudit,
  overview: adminOverview,
  payments: adminPayments,
  prices: adminPrices,
  search: adminSearch,
} satisfies AdminTexts;
