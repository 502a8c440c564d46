import type { ADMIN_CHANNELS_ENDPOINTS } from '@zhiber/contract/admin/channels.ts';
import { Problem } from '../../problem.ts';
import { checkProvider, readProviders, readQuality } from '../../status/read-channels.ts';
import type { AdminHandlersOf } from './endpoint.ts';

export const ADMIN_CHANNELS_HANDLERS: AdminHandlersOf<typeof ADMIN_CHANNELS_ENDPOINTS> = {
  async channels({ ctx }) {
    const { nodes, providers } = await readProviders(ctx);
    return {
      success: true,
      is_sandbox: ctx.channels.isSandbox,
      nodes: nodes.map(({ node, version, role, startedAt, seenAt }) => ({
        name: node,
        version,
        role,
        started_at: startedAt.toISOString(),
        seen_at: seenAt.toISOString(),
      })),
      providers: providers.map((provider) => ({
        name: provider.name,
        kind: provider.kind,
        channel: provider.channel,
        is_configured: provider.isConfigured,
        nodes: provider.nodes.map(({ node, circuit, inFlight, isUp, detail, answerMsP99 }) => ({
          node,
          circuit,
          in_flight: inFlight,
          is_up: isUp,
          detail,
          answer_ms_p99: answerMsP99,
        })),
        last_hour: provider.lastHour,
        last_day: provider.lastDay,
      })),
    };
  },
  async channelQuality({ ctx }, { query }) {
    const { messagesPerCompanyMax, channels } = await readQuality(
      ctx,
      query.range === '1h' ? 1 : 24,
    );
    return {
      success: true,
      messages_per_company_max: messagesPerCompanyMax,
      channels: channels.map(({ confirmMsP95, ...channel }) => ({
        ...channel,
        confirm_ms_p95: confirmMsP95,
      })),
    };
  },
  async checkProvider({ ctx }, { params }) {
    const checked = await checkProvider(ctx, params.provider ?? '');
    if (checked === undefined) throw new Problem('not_found');
    return { success: true, ...checked };
  },
};
