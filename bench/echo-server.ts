/**
 * The upper bound: authenticates and validates a send, then answers without a database. Nothing
 * built on Fastify could be faster.
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
