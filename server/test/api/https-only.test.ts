import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { before, describe, test } from 'node:test';
import { withHttpsOnly } from '../../src/http/transport/https-only.ts';
import { useService } from '../harness.ts';

const HEADER = 'strict-transport-security';
/** No includeSubDomains: another service of the domain may speak plain HTTP. */
const A_YEAR = 'max-age=31536000';

/** Every kind of answer: a page, a file, JSON, a redirect, refusals of all layers. */
const PATHS = [
  '/',
  '/app',
  '/assets/none.js',
  '/api/health',
  '/api/openapi.json',
  '/api/nothing',
  '/api/otp/send',
  '/cabinet/session',
  '/s/nosuchname',
  '/nothing',
  '/%zz',
  '/try/session',
];

/** The head of an answer to bytes that are not a request for the router. */
async function askRaw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe('a site with an https address', () => {
  const service = useService({ env: { PUBLIC_URL: 'https://zhiber.example' } });
  let address: string;
  before(async () => {
    address = await service.http.listen({ port: 0, host: '127.0.0.1' });
  });

  for (const path of PATHS) {
    test(`keeps browsers on https, and its subdomains out of it: ${path}`, async () => {
      const { headers } = await fetch(`${address}${path}`);
      assert.equal(headers.get(HEADER), A_YEAR);
    });
  }

  test('keeps browsers on https in a stream of events', async () => {
    const response = await fetch(`${address}/try/events`);
    assert.equal(response.headers.get(HEADER), A_YEAR);
    await response.body?.cancel();
  });

  test('keeps browsers on https in answers to what is not a request', async () => {
    const port = Number(new URL(address).port);
    for (const bytes of ['nonsense\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n']) {
      assert.match(
        await askRaw(port, bytes),
        /\r\nstrict-transport-security: max-age=31536000\r\n/,
      );
    }
  });
});

test('a refusal under overload keeps browsers on https as well', async () => {
  // The load shedder writes its refusals by itself, as this handler does.
  const handler = withHttpsOnly({ publicUrl: 'https://zhiber.example' }, (_request, response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end();
  });
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  server.close();
  server.closeAllConnections();
  assert.equal(headers.get(HEADER), A_YEAR);
});

for (const [name, env] of Object.entries({
  'an http address': { PUBLIC_URL: 'http://zhiber.example' },
  'no address of its own': {},
})) {
  describe(`a site with ${name}`, () => {
    const service = useService({ env });

    test('never asks for https', async () => {
      const address = await service.http.listen({ port: 0, host: '127.0.0.1' });
      for (const path of PATHS) {
        const { headers } = await fetch(`${address}${path}`);
        assert.equal(headers.get(HEADER), null, path);
      }
      const raw = await askRaw(Number(new URL(address).port), 'nonsense\r\n\r\n');
      assert.doesNotMatch(raw, /strict-transport/i);
    });
  });
}
