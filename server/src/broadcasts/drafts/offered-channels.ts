import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import { ATTEMPT_TIMEOUT_MS } from '@zhiber/contract/api/limits.ts';
import type { WhatsappTemplate } from '@zhiber/contract/cabinet/broadcasts.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../problem.ts';
import { withDeadline } from '../../runtime/deadline.ts';

/** The channels that carry broadcasts in this installation now, in the usual order. */
export function listOfferedChannels({ channels }: Pick<Context, 'channels'>): Channel[] {
  return CHANNELS.filter((channel) => channels.adapter(channel, false)?.carries.has('broadcast'));
}

/** When a provider could not be asked, another try may succeed. */
const RETRY_SECONDS = 10;

/** The approved marketing templates of WhatsApp. Throws `service_unavailable` when it cannot be asked. */
export async function listWhatsappTemplates({
  channels,
  log,
}: Pick<Context, 'channels' | 'log'>): Promise<WhatsappTemplate[]> {
  const adapter = channels.adapter('whatsapp', false);
  if (adapter?.listTemplates === undefined) return [];
  try {
    const templates = await withDeadline(
      { limitMs: ATTEMPT_TIMEOUT_MS },
      async (signal) => (await adapter.listTemplates?.(signal)) ?? [],
    );
    return templates.map(({ name, language, body, hasLink }) => ({
      name,
      language,
      body,
      has_link: hasLink,
    }));
  } catch (error) {
    log.warn({ err: error }, 'templates of WhatsApp were not read');
    throw new Problem('service_unavailable', { retry_after: RETRY_SECONDS });
  }
}
