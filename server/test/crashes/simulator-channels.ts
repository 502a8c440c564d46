/** The three channels of the service, which call the provider simulator over HTTP. */
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type {
  ChannelAdapter,
  Outcome,
  OutgoingMessage,
  Receipt,
} from '../../src/channels/channel.ts';
import type { AdaptersByChannel } from '../../src/channels/open-channels.ts';
import { crashPoint, isFallback } from './crash-points.ts';

const agent = new Agent({ keepAlive: true });

export function simulatorChannels(url: string): AdaptersByChannel {
  return Object.fromEntries(CHANNELS.map((channel) => [channel, simulatorChannel(url, channel)]));
}

function simulatorChannel(url: string, channel: Channel): ChannelAdapter {
  return {
    name: `simulator ${channel}`,
    carries: new Set(['code', 'code_with_link', 'text']),
    async send(message, signal) {
      const phase = isFallback(message.ref) ? 'fallback call' : 'call';
      crashPoint(`${phase}: before`);
      const outcome = await send(`${url}/${channel}/send`, message, signal);
      crashPoint(`${phase}: after`);
      return outcome;
    },
    async readStatus({ ref }) {
      const { body } = await post(`${url}/${channel}/status`, { ref });
      return body.receipt ? { receipt: body.receipt as Receipt } : undefined;
    },
    async findAccepted({ ref }) {
      const { body } = await post(`${url}/${channel}/status`, { ref });
      return body.id ? { result: 'accepted', providerId: String(body.id) } : undefined;
    },
  };
}

async function send(url: string, message: OutgoingMessage, signal: AbortSignal): Promise<Outcome> {
  const { ref, content, text, code, to } = message;
  const phone = 'phone' in to ? to.phone : to.group;
  try {
    const { status, body } = await post(url, { ref, content, text, code, phone }, signal);
    return status === 200
      ? { result: 'accepted', providerId: String(body.id) }
      : { result: 'refused', reason: 'Номера нет' };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
      ? { result: 'unavailable', reason: 'Канал отключён' }
      : { result: 'unknown', reason: 'Связь оборвалась' };
  }
}

type Answer = { status: number; body: Record<string, unknown> };

function post(url: string, body: object, signal?: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'POST', agent, ...(signal && { signal }) },
      (response) => {
        json(response).then(
          (read) => resolve({ status: response.statusCode ?? 0, body: read as Answer['body'] }),
          reject,
        );
      },
    );
    sending.on('error', reject);
    sending.end(JSON.stringify(body));
  });
}
