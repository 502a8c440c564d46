import { ALERT_ENDPOINTS } from './alerts.ts';
import { BALANCE_ENDPOINTS } from './balance.ts';
import { BROADCAST_RESULT_ENDPOINTS } from './broadcast-results.ts';
import { BROADCAST_ROW_ENDPOINTS } from './broadcast-rows.ts';
import { BROADCAST_TEMPLATE_ENDPOINTS } from './broadcast-templates.ts';
import { BROADCAST_DRAFT_ENDPOINTS, BROADCAST_RUN_ENDPOINTS } from './broadcasts.ts';
import { AUDIT_ENDPOINTS, COMPANY_ENDPOINTS, TEAM_ENDPOINTS } from './company.ts';
import type { CabinetEndpoint } from './endpoint.ts';
import { KEY_ENDPOINTS } from './keys.ts';
import { GROUP_ENDPOINTS, LINK_ENDPOINTS } from './links.ts';
import { MESSAGE_ENDPOINTS } from './messages.ts';
import { OVERVIEW_ENDPOINTS } from './overview.ts';
import { PAPER_ENDPOINTS } from './papers.ts';
import { PLAYGROUND_ENDPOINTS } from './playground.ts';
import { PROFILE_ENDPOINTS } from './profile.ts';
import { RECIPIENT_LIST_ENDPOINTS } from './recipient-lists.ts';
import { REQUEST_ENDPOINTS } from './requests.ts';
import { SESSION_ENDPOINTS } from './session.ts';
import { TOPUP_ENDPOINTS } from './topups.ts';
import { UNSUBSCRIBED_ENDPOINTS } from './unsubscribed.ts';
import { WEBHOOK_ENDPOINTS } from './webhooks.ts';

/** Every endpoint of the cabinet. */
export const CABINET_ENDPOINTS = {
  ...SESSION_ENDPOINTS,
  ...PROFILE_ENDPOINTS,
  ...COMPANY_ENDPOINTS,
  ...TEAM_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
  ...OVERVIEW_ENDPOINTS,
  ...BALANCE_ENDPOINTS,
  ...KEY_ENDPOINTS,
  ...MESSAGE_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  ...LINK_ENDPOINTS,
  ...GROUP_ENDPOINTS,
  ...BROADCAST_RUN_ENDPOINTS,
  ...BROADCAST_ROW_ENDPOINTS,
  ...RECIPIENT_LIST_ENDPOINTS,
  ...UNSUBSCRIBED_ENDPOINTS,
  ...PLAYGROUND_ENDPOINTS,
  ...TOPUP_ENDPOINTS,
  ...ALERT_ENDPOINTS,
  ...PAPER_ENDPOINTS,
  ...BROADCAST_DRAFT_ENDPOINTS,
  ...BROADCAST_TEMPLATE_ENDPOINTS,
  ...BROADCAST_RESULT_ENDPOINTS,
  ...WEBHOOK_ENDPOINTS,
} as const satisfies Record<string, CabinetEndpoint>;
