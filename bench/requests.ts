import { type Calls, PREPARED_CODE, phoneAt } from './load-plan.ts';

/** Writes the bytes of the next call, as lean as a client can be. */
export type NextRequest = () => string;

export function requestsOf(calls: Calls): NextRequest {
  let index = calls.from - 1;
  const next = () => {
    index += 1;
    return index;
  };
  const key = (at: number) => calls.keys[at % calls.keys.length] as string;
  switch (calls.kind) {
    case 'send':
      return () => {
        const at = next();
        return post('/api/otp/send', key(at), `{"phone":"${phoneAt(at)}"}`);
      };
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

function post(path: string, key: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}
