/**
 * Sends through HTTP providers, each a separate process with a known latency. Measures what the
 * service adds to that latency, and whether a slow provider slows down the others.
 */
import type { Block } from './measure.ts';
import { type SlowProvider, startProvider } from './processes.ts';
import { type Client, createClients, type Service, startService, vacuumTables } from './service.ts';

const SECRET = 'whsec_bWVhc3VyZW1lbnRzLWFsb25lLW1lYXN1cmVtZW50cw==';
/**
 * An open loop well below capacity: calls start when they are due and wait for their provider, not
 * for each other.
 */
const MODERATE = { connections: 64, ratePerSecond: 200 };
/** Phone numbers that no other calls to this service use. */
const BACKGROUND_FROM = 300_000_000;

type BlockShape = {
  name: string;
  connections: number;
  /** Absent: a closed loop. */
  ratePerSecond?: number;
  smsMs: number;
  /** Latency of WhatsApp, which gets as many messages at the same time. */
  whatsappMs?: number;
  /** Directly to the provider, without the service. */
  isBare?: true;
};

const SHAPES: readonly BlockShape[] = [
  { name: 'sms at 0 ms, 64 connections', connections: 64, smsMs: 0 },
  { name: 'sms at 0 ms, 256 connections', connections: 256, smsMs: 0 },
  { name: 'sms at 50 ms, 64 connections', connections: 64, smsMs: 50 },
  { name: 'sms at 50 ms, 256 connections', connections: 256, smsMs: 50 },
  { name: 'bare call at 50 ms', ...MODERATE, smsMs: 50, isBare: true },
  { name: 'send at 50 ms', ...MODERATE, smsMs: 50 },
  { name: 'sms at 5 ms, whatsapp at 5 ms', ...MODERATE, smsMs: 5, whatsappMs: 5 },
  { name: 'sms at 5 ms, whatsapp at 50 ms', ...MODERATE, smsMs: 5, whatsappMs: 50 },
];

export const PROVIDER_BLOCK_NAMES = SHAPES.map(({ name }) => name);

type Providers = Record<'sms' | 'whatsapp', SlowProvider>;

export type ProviderService = { service: Service; client: Client; providers: Providers };

/** A service with a separate provider for SMS and for WhatsApp. */
export async function startProviderService(): Promise<ProviderService> {
  const providers = { sms: await startProvider(SECRET), whatsapp: await startProvider(SECRET) };
  const settingsOf = (channel: keyof Providers) => ({
    [`HTTP_${channel.toUpperCase()}_URL`]: `http://127.0.0.1:${providers[channel].port}/messages`,
    [`HTTP_${channel.toUpperCase()}_SECRET`]: SECRET,
  });
  const service = await startService({
    isWalFilled: true,
    settings: { ...settingsOf('sms'), ...settingsOf('whatsapp') },
  });
  const [client] = (await createClients(service.db, 1)) as [Client];
  return { service: withReceipts(service), client, providers };
}

/**
 * These providers send no receipts, so half a minute later the service would check every message,
 * during another block. Marking all of them as delivered between two blocks prevents that.
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
      if (rows.length > 0) await vacuumTables(service.connection);
      await service.settleDown();
    },
  };
}

export function providerBlocks({ service, client, providers }: ProviderService): Block[] {
  const numbers = { next: 1 };
  const backgroundNumbers = { next: BACKGROUND_FROM };
  const common = { kind: 'send', port: service.port, keys: [client.key] } as const;
  const whatsapp = { ...common, channel: 'whatsapp', numbers: backgroundNumbers } as const;
  return SHAPES.map(({ name, connections, ratePerSecond, smsMs, whatsappMs, isBare }) => ({
    ...common,
    channel: 'sms',
    numbers,
    name,
    connections,
    providers: [{ provider: providers.sms, delayMs: smsMs }],
    ...(ratePerSecond !== undefined && { ratePerSecond }),
    ...(isBare === true && { kind: 'message', port: providers.sms.port, secret: SECRET }),
    ...(whatsappMs !== undefined && {
      background: whatsapp,
      providers: [
        { provider: providers.sms, delayMs: smsMs },
        { provider: providers.whatsapp, delayMs: whatsappMs },
      ],
    }),
  }));
}
