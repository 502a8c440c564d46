import { readWebhookSecret, signWebhook } from '../server/src/channels/http/standard-webhooks.ts';
import { newId } from '../server/src/ids.ts';
import { type Calls, PREPARED_CODE, phoneAt } from './load-plan.ts';

/** Returns the bytes of the next call, with the minimum of headers. */
export type NextRequest = () => string;

export function createRequests(calls: Calls): NextRequest {
  let index = calls.from - 1;
  const next = () => {
    index += 1;
    return index;
  };
  const key = (at: number) => calls.keys[at % calls.keys.length] as string;
  switch (calls.kind) {
    case 'send': {
      const channel = calls.channel === undefined ? '' : `,"channel":"${calls.channel}"`;
      return () => {
        const at = next();
        return post('/api/otp/send', key(at), `{"phone":"${phoneAt(at)}"${channel}}`);
      };
    }
    case 'message':
      return providerMessages(calls, next);
    case 'verify':
      return () => {
        const at = next();
        const body = `{"phone":"${phoneAt(at)}","code":"${PREPARED_CODE}"}`;
        return post('/api/otp/verify', key(at), body);
      };
    case 'shorten':
      return () => {
        const at = next();
        return post('/api/links/shorten', key(at), `{"url":"https://example.kz/order/${at}"}`);
      };
    case 'redirect': {
      const slugs = calls.slugs ?? [];
      return () => `GET /s/${slugs[next() % slugs.length]} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    }
  }
}

/** Messages as the service itself posts them to an HTTP provider, with the same signature. */
function providerMessages({ channel, secret = '' }: Calls, next: () => number): NextRequest {
  const webhookKey = readWebhookSecret(secret);
  if (webhookKey === undefined) throw new Error('a message needs a secret');
  return () => {
    const at = new Date();
    const reference = `1.${newId(at.getTime())}.1`;
    const data = {
      reference,
      channel,
      to: phoneAt(next()),
      kind: 'code',
      text: `Code: ${PREPARED_CODE}. Do not tell it to anybody.`,
      code: PREPARED_CODE,
      language: 'ru',
      expires_in: 300,
      callback_url: `http://localhost:3000/callbacks/http-${channel}`,
    };
    const body = JSON.stringify({ type: 'message.send', timestamp: at.toISOString(), data });
    const signed = signWebhook(webhookKey, { id: reference.replaceAll('.', '_'), body, at });
    const headers = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`);
    return (
      `POST /messages HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n` +
      `Accept: application/json\r\nAccept-Encoding: identity\r\n${headers.join('')}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    );
  };
}

function post(path: string, key: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
