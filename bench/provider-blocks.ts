/**
 * Sends over providers that are reached by HTTP, each a process of its own with a latency that is
 * known: what the service adds to it, and whether a slow one is felt by anybody else.
 */
import type { Block } from './measure.ts';
import { type SlowProvider, startProvider } from './processes.ts';
import { type Client, createClients, type Service, startService, tidyUp } from './service.ts';

const SECRET = 'whsec_bWVhc3VyZW1lbnRzLWFsb25lLW1lYXN1cmVtZW50cw==';
/** A part of what the machine can do, so that calls wait for their providers, not for each other. */
const MODERATE_PER_SECOND = 200;
/** Numbers that no other calls to this service have. */
const BESIDE_FROM = 300_000_000;

type Shape = {
  name: string;
  connections: number;
  smsMs: number;
  /** With as many messages over WhatsApp beside, which takes so long. */
  whatsappMs?: number;
  /** Straight to the provider, past the service. */
  isBare?: true;
};

const SHAPES: readonly Shape[] = [
  { name: 'sms at 0 ms, 64 connections', connections: 64, smsMs: 0 },
  { name: 'sms at 0 ms, 256 connections', connections: 256, smsMs: 0 },
  { name: 'sms at 50 ms, 64 connections', connections: 64, smsMs: 50 },
  { name: 'sms at 50 ms, 256 connections', connections: 256, smsMs: 50 },
  // So few that a call waits for its provider, and not for other calls.
  { name: 'bare call at 50 ms', connections: 8, smsMs: 50, isBare: true },
  { name: 'send at 50 ms', connections: 8, smsMs: 50 },
  { name: 'sms at 5 ms, whatsapp at 5 ms', connections: 64, smsMs: 5, whatsappMs: 5 },
  { name: 'sms at 5 ms, whatsapp at 50 ms', connections: 64, smsMs: 5, whatsappMs: 50 },
];

export const PROVIDER_BLOCK_NAMES = SHAPES.map(({ name }) => name);

type Providers = Record<'sms' | 'whatsapp', SlowProvider>;

export type ProviderService = { service: Service; client: Client; providers: Providers };

/** A service whose SMS and WhatsApp go to providers of their own. */
export async function startProviderService(): Promise<ProviderService> {
  const providers = { sms: await startProvider(SECRET), whatsapp: await startProvider(SECRET) };
  const settingsOf = (channel: keyof Providers) => ({
    [`HTTP_${channel.toUpperCase()}_URL`]: `http://127.0.0.1:${providers[channel].port}/messages`,
    [`HTTP_${channel.toUpperCase()}_SECRET`]: SECRET,
  });
  const service = await startService({
    isWornIn: true,
    settings: { ...settingsOf('sms'), ...settingsOf('whatsapp') },
  });
  const [client] = (await createClients(service.db, 1)) as [Client];
  return { service: withReceipts(service), client, providers };
}

/**
 * These providers report nothing, and half a minute later the service would look after every
 * message, in the midst of another block. Here they are all delivered between two blocks.
 */
function withReceipts(service: Service): Service {
  return {
    ...service,
    async settleDown() {
      const rows = await service.db.query(
        `update message set receipt = 'delivered', receipt_at = clock_timestamp(),
           delivered_at = clock_timestamp()
         where state = 'sent' and receipt is null
         returning 1`,
      );
      if (rows.length > 0) await tidyUp(service.connection);
      await service.settleDown();
    },
  };
}

export function providerBlocks({ service, client, providers }: ProviderService): Block[] {
  const numbers = { next: 1 };
  const besideNumbers = { next: BESIDE_FROM };
  const common = { kind: 'send', port: service.port, keys: [client.key] } as const;
  const whatsapp = { ...common, channel: 'whatsapp', numbers: besideNumbers } as const;
  return SHAPES.map(({ name, connections, smsMs, whatsappMs, isBare }) => ({
    ...common,
    channel: 'sms',
    numbers,
    name,
    connections,
    providers: [{ provider: providers.sms, delayMs: smsMs }],
    ...(isBare === true && { kind: 'message', port: providers.sms.port, secret: SECRET }),
    ...(whatsappMs !== undefined && {
      ratePerSecond: MODERATE_PER_SECOND,
      beside: whatsapp,
      providers: [
        { provider: providers.sms, delayMs: smsMs },
        { provider: providers.whatsapp, delayMs: whatsappMs },
      ],
    }),
  }));
}
