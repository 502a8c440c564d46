import { ALERT_ENDPOINTS } from '@zhiber/contract/cabinet/alerts.ts';
import { BALANCE_ENDPOINTS } from '@zhiber/contract/cabinet/balance.ts';
import { BROADCAST_RESULT_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-results.ts';
import { BROADCAST_ROW_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-rows.ts';
import { BROADCAST_TEMPLATE_ENDPOINTS } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import {
  BROADCAST_DRAFT_ENDPOINTS,
  BROADCAST_RUN_ENDPOINTS,
} from '@zhiber/contract/cabinet/broadcasts.ts';
import {
  AUDIT_ENDPOINTS,
  COMPANY_ENDPOINTS,
  TEAM_ENDPOINTS,
} from '@zhiber/contract/cabinet/company.ts';
import type { CabinetEndpoint } from '@zhiber/contract/cabinet/endpoint.ts';
import { KEY_ENDPOINTS } from '@zhiber/contract/cabinet/keys.ts';
import { GROUP_ENDPOINTS, LINK_ENDPOINTS } from '@zhiber/contract/cabinet/links.ts';
import { MESSAGE_ENDPOINTS } from '@zhiber/contract/cabinet/messages.ts';
import { OVERVIEW_ENDPOINTS } from '@zhiber/contract/cabinet/overview.ts';
import { PAPER_ENDPOINTS } from '@zhiber/contract/cabinet/papers.ts';
import { PLAYGROUND_ENDPOINTS } from '@zhiber/contract/cabinet/playground.ts';
import { PROFILE_ENDPOINTS } from '@zhiber/contract/cabinet/profile.ts';
import { RECIPIENT_LIST_ENDPOINTS } from '@zhiber/contract/cabinet/recipient-lists.ts';
import { REQUEST_ENDPOINTS } from '@zhiber/contract/cabinet/requests.ts';
import { SESSION_ENDPOINTS } from '@zhiber/contract/cabinet/session.ts';
import { TOPUP_ENDPOINTS } from '@zhiber/contract/cabinet/topups.ts';
import { UNSUBSCRIBED_ENDPOINTS } from '@zhiber/contract/cabinet/unsubscribed.ts';
import { WEBHOOK_ENDPOINTS } from '@zhiber/contract/cabinet/webhooks.ts';
import type { FastifyInstance } from 'fastify';
import { createMessageFeeds } from '../../messages/message-feeds.ts';
import { createEventStreams } from '../transport/event-stream.ts';
import { streamFiles } from '../transport/file-body.ts';
import { ALERT_HANDLERS } from './alerts.ts';
import { AUDIT_HANDLERS } from './audit.ts';
import { BALANCE_HANDLERS } from './balance.ts';
import { BROADCAST_RESULT_HANDLERS } from './broadcast-results.ts';
import { BROADCAST_ROW_HANDLERS } from './broadcast-rows.ts';
import { BROADCAST_RUN_HANDLERS } from './broadcast-runs.ts';
import { BROADCAST_DRAFT_HANDLERS, BROADCAST_TEMPLATE_HANDLERS } from './broadcasts.ts';
import { COMPANY_HANDLERS } from './company.ts';
import { addCabinetEndpoint, type Cabinet, type HandlersOf } from './endpoint.ts';
import { GROUP_HANDLERS } from './groups.ts';
import { KEY_HANDLERS } from './keys.ts';
import { LINK_HANDLERS } from './links.ts';
import { MESSAGE_HANDLERS } from './messages.ts';
import { OVERVIEW_HANDLERS } from './overview.ts';
import { PAPER_HANDLERS } from './papers.ts';
import { PLAYGROUND_HANDLERS } from './playground.ts';
import { PROFILE_HANDLERS } from './profile.ts';
import { RECIPIENT_LIST_HANDLERS } from './recipient-lists.ts';
import { REQUEST_HANDLERS } from './requests.ts';
import { SESSION_HANDLERS } from './session.ts';
import { endStreamsWithoutRight } from './stream-rights.ts';
import { TEAM_HANDLERS } from './team.ts';
import { TOPUP_HANDLERS } from './topups.ts';
import { UNSUBSCRIBED_HANDLERS } from './unsubscribed.ts';
import { WEBHOOK_HANDLERS } from './webhooks.ts';

/** Registers every cabinet endpoint under the policy that the contract declares for it. */
export function addCabinet(
  scope: FastifyInstance,
  parts: Omit<Cabinet, 'streams' | 'feeds'>,
): void {
  const streams = createEventStreams(scope);
  const rights = endStreamsWithoutRight(parts.ctx, streams);
  scope.addHook('preClose', () => rights.stop());
  const cabinet: Cabinet = {
    ...parts,
    streams,
    feeds: createMessageFeeds(parts.ctx),
  };
  streamFiles(scope);
  scope.decorateRequest('user', undefined);
  const add = <Endpoints extends Record<string, CabinetEndpoint>>(
    endpoints: Endpoints,
    handlers: HandlersOf<Endpoints>,
  ) => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      addCabinetEndpoint(scope, cabinet, endpoint, handlers[name] as never);
    }
  };
  add(SESSION_ENDPOINTS, SESSION_HANDLERS);
  add(PROFILE_ENDPOINTS, PROFILE_HANDLERS);
  add(COMPANY_ENDPOINTS, COMPANY_HANDLERS);
  add(TEAM_ENDPOINTS, TEAM_HANDLERS);
  add(AUDIT_ENDPOINTS, AUDIT_HANDLERS);
  add(OVERVIEW_ENDPOINTS, OVERVIEW_HANDLERS);
  add(BALANCE_ENDPOINTS, BALANCE_HANDLERS);
  add(MESSAGE_ENDPOINTS, MESSAGE_HANDLERS);
  add(REQUEST_ENDPOINTS, REQUEST_HANDLERS);
  add(KEY_ENDPOINTS, KEY_HANDLERS);
  add(LINK_ENDPOINTS, LINK_HANDLERS);
  add(GROUP_ENDPOINTS, GROUP_HANDLERS);
  add(BROADCAST_RUN_ENDPOINTS, BROADCAST_RUN_HANDLERS);
  add(BROADCAST_ROW_ENDPOINTS, BROADCAST_ROW_HANDLERS);
  add(RECIPIENT_LIST_ENDPOINTS, RECIPIENT_LIST_HANDLERS);
  add(UNSUBSCRIBED_ENDPOINTS, UNSUBSCRIBED_HANDLERS);
  add(PLAYGROUND_ENDPOINTS, PLAYGROUND_HANDLERS);
  add(TOPUP_ENDPOINTS, TOPUP_HANDLERS);
  add(ALERT_ENDPOINTS, ALERT_HANDLERS);
  add(PAPER_ENDPOINTS, PAPER_HANDLERS);
  add(BROADCAST_DRAFT_ENDPOINTS, BROADCAST_DRAFT_HANDLERS);
  add(BROADCAST_TEMPLATE_ENDPOINTS, BROADCAST_TEMPLATE_HANDLERS);
  add(BROADCAST_RESULT_ENDPOINTS, BROADCAST_RESULT_HANDLERS);
  add(WEBHOOK_ENDPOINTS, WEBHOOK_HANDLERS);
}
