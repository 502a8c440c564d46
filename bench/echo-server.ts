/**
 * The yardstick: a bare Fastify server that authenticates and validates a send as Zhiber does, and
 * then answers without any database. Nothing built on this server could be faster.
 */
import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import Fastify from 'fastify';
import { bodyReader, parseBody } from '../server/src/http/body.ts';
import { newId } from '../server/src/ids.ts';
import { isKeyText } from '../server/src/keys/key-text.ts';
import { readPhone } from '../server/src/phone.ts';

const keys = new Set(JSON.parse(process.env.BENCH_KEYS ?? '[]') as string[]);
const readBody = bodyReader(ENDPOINTS.otpSend.body);

const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
  done(null, parseBody(bytes as Buffer));
});
app.post('/api/otp/send', async (request, reply) => {
  const key = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if (!isKeyText(key) || !keys.has(key)) return reply.code(401).send({ success: false });
  const { phone } = readBody(request.body);
  if (readPhone(phone) === undefined) return reply.code(422).send({ success: false });
  return {
    success: true,
    message: 'Код отправлен',
    message_id: newId(Date.now()),
    channel: 'whatsapp',
    cost: 3,
    balance: 1_000_000,
    expires_in: 300,
  };
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.on('disconnect', () => process.exit());
