import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openSmsc } from '../../src/channels/sms/smsc.ts';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { createHttpServer, type HttpServer } from '../../src/http/transport/server.ts';
import { useService } from '../harness.ts';
import { TOOLS } from '../providers/rig/tools.ts';

/** Forged and oversized requests to the callback URLs of providers. */
const service = useService();
const APP_SECRET = 'app secret of this test';
const LARGE_AT_ONCE_MAX = 16;
let http: HttpServer;
let port: number;

const sign = (body: string) =>
  `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`;

async function report(provider: string, body: string) {
  const headers = { 'x-hub-signature-256': sign(body) };
  const url = `http://127.0.0.1:${port}/callbacks/${provider}`;
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

describe('callbacks', () => {
  before(async () => {
    const cloud = openWhatsappCloud(
      {
        phoneNumberId: '1',
        token: 't',
        appSecret: APP_SECRET,
        verifyToken: 'v',
        codeTemplate: 'c',
      },
      TOOLS,
      { isWindowOpen: async () => false },
    );
    const smsc = openSmsc({ apiKey: 'k', callbackSecret: 's' }, TOOLS);
    http = createHttpServer(service.ctx, service.sandbox, [cloud, smsc]);
    await http.listen({ port: 0, host: '127.0.0.1' });
    port = (http.server.address() as AddressInfo).port;
  });
  after(() => http.close());

  test('only providers that report receipts in batches may send large bodies', async () => {
    const large = JSON.stringify({ entry: [], pad: 'x'.repeat(100_000) });
    assert.equal(await report('whatsapp-cloud', large), 200);
    assert.equal(await report('smsc', large), 413);
    assert.equal(await report('whatsapp-cloud', 'x'.repeat(4_000_000)), 413);
  });

  test('slow large bodies block other large bodies and nothing else', async () => {
    const slow = Array.from({ length: LARGE_AT_ONCE_MAX }, () => {
      const headers = { 'content-length': 2_000_000 };
      const path = '/callbacks/whatsapp-cloud';
      const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
      call.on('error', () => undefined);
      call.write('{');
      return call;
    });
    const large = JSON.stringify({ entry: [], pad: 'x'.repeat(100_000) });
    while ((await report('whatsapp-cloud', large)) !== 503);
    assert.equal(await report('whatsapp-cloud', '{"entry":[]}'), 200);
    for (const call of slow) call.destroy();
    while ((await report('whatsapp-cloud', large)) !== 200);
  });

  test('forged callbacks are refused and logged in one line', async (t) => {
    const warn = t.mock.method(service.ctx.log, 'warn', () => undefined);
    for (let i = 0; i < 50; i++) {
      const call = request({
        host: '127.0.0.1',
        port,
        path: '/callbacks/smsc?id=1&status=1',
      }).end();
      const [answer] = await once(call, 'response');
      assert.equal(answer.statusCode, 403);
      answer.resume();
    }
    assert.equal(warn.mock.callCount(), 1);
  });
});
