import type { AddressInfo } from 'node:net';
import { ENDPOINTS } from '@zhiber/contract/api/endpoints.ts';
import Fastify from 'fastify';
import { bodyReader, parseBody } from '../server/src/http/transport/body.ts';
import { isKeyText } from '../server/src/keys/key-text.ts';
import { type Phone, parsePhone } from '../server/src/phone.ts';

/** The answer to a send; undefined when it is refused. */
type Send<Client> = (client: Client, phone: Phone) => Promise<object | undefined>;

/**
 * A bare Fastify server that authenticates and validates a send as Zhiber does, and nothing else.
 * It sends its port to the parent process and exits with it.
 */
export async function serveSends<Client>(
  findClient: (key: string) => Client | undefined,
  send: Send<Client>,
): Promise<void> {
  const readBody = bodyReader(ENDPOINTS.otpSend.body);
  const app = Fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    done(null, parseBody(bytes as Buffer));
  });
  app.post('/api/otp/send', async (request, reply) => {
    const key = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const client = isKeyText(key) ? findClient(key) : undefined;
    if (client === undefined) return reply.code(401).send({ success: false });
    const facts = parsePhone(readBody(request.body).phone);
    if (facts === undefined) return reply.code(422).send({ success: false });
    const answer = await send(client, facts.phone);
    return answer ?? reply.code(429).send({ success: false });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port: (app.server.address() as AddressInfo).port });
  process.on('disconnect', () => process.exit());
}
