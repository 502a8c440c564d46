import Type, { type Static } from 'typebox';
import { Count, Tokens } from '../cabinet/fields.ts';
import type { AdminEndpoint } from './endpoint.ts';

/** The installation at a glance. The company of the installation itself is in none of it. */
export const AdminOverview = Type.Object({
  success: Type.Literal(true),
  companies: Count,
  suspended_companies: Count,
  balance: Tokens,
  held: Tokens,
  /** Owed by companies after refunds. */
  debt: Tokens,
  /** Live messages since midnight in Almaty. */
  sends_today: Count,
  /** Orders that somebody has to look at. */
  orders_to_confirm: Count,
  refunds_under_way: Count,
  /** Reports of payment providers that were stored and not handled yet. */
  unhandled_notices: Count,
});
export type AdminOverview = Static<typeof AdminOverview>;

export const ADMIN_OVERVIEW_ENDPOINTS = {
  overview: { method: 'GET', path: '/overview', policy: 'operator', answer: AdminOverview },
} as const satisfies Record<string, AdminEndpoint>;
