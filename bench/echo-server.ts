/**
 * The yardstick: authenticates and validates a send, and then answers without any database. Nothing
 * built on this server could be faster.
 */
import { newId } from '../server/src/ids.ts';
import { serveSends } from './bare-server.ts';

const keys = new Set(JSON.parse(process.env.BENCH_KEYS ?? '[]') as string[]);

await serveSends(
  (key) => (keys.has(key) ? key : undefined),
  async () => ({
    success: true,
    message: 'Код отправлен',
    message_id: newId(Date.now()),
    channel: 'whatsapp',
    cost: 3,
    balance: 1_000_000,
    expires_in: 300,
  }),
);
