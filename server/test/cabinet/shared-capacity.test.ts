/** What all share, and one network, person or company cannot take for itself. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { MESSAGE_ENDPOINTS as M } from '@zhiber/contract/cabinet/messages.ts';
import { PROFILE_ENDPOINTS as P } from '@zhiber/contract/cabinet/profile.ts';
import { SESSION_ENDPOINTS as S } from '@zhiber/contract/cabinet/session.ts';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { createHttpServer, type HttpServer } from '../../src/http/transport/server.ts';
import type { CompanyId } from '../../src/ids.ts';
import { runConcurrently, until, useService } from '../harness.ts';
import { TOOLS } from '../providers/rig/tools.ts';
import { createCabinetClient, type TestPerson } from './cabinet-client.ts';
import { readEmailToken } from './inbox.ts';

const service = useService({ env: { TRUST_PROXY: '127.0.0.1' } });
const { person, as, call, proveIdentities } = createCabinetClient(service);
const from = (address: string) => ({ 'x-forwarded-for': address });

describe('forty sign-ins at once', () => {
  const PASSWORD = 'верный конь 5';
  const email = 'owner@example.kz';
  before(async () => {
    const owner = await person();
    await proveIdentities();
    (await as(owner).call(P.changeEmail, { body: { email } })).ok();
    const body = { token: readEmailToken(service, email) };
    (await as(owner).call(P.confirmNewEmail, { body })).ok();
    (await as(owner).call(P.changePassword, { body: { password: PASSWORD } })).ok();
  });

  const networks: Record<string, (index: number) => string> = {
    'one /64': (i) => `2001:db8:1:1::${i + 1}`,
    'one /48': (i) => `2001:db8:2:${i + 1}::1`,
  };
  for (const [name, toAddress] of Object.entries(networks)) {
    test(`of ${name} do not make the sign-in of another fail`, async () => {
      const flood = runConcurrently(40, (i) =>
        call(S.signInByEmail, {
          body: { email: `nobody-${i}@example.kz`, password: 'wrong' },
          headers: from(toAddress(i)),
        }),
      );
      const owner = await call(S.signInByEmail, {
        body: { email, password: PASSWORD },
        headers: from('10.1.0.1'),
      });
      owner.ok();
      let limited = 0;
      for (const answer of await flood) {
        if (answer.status === 401) answer.refused('wrong_credentials');
        else {
          answer.refused('sign_in_limited');
          limited += 1;
        }
      }
      assert(limited > 0, 'no flood at all');
    });
  }
});

describe('sixteen slow posts to a callback', () => {
  const APP_SECRET = 'app secret of this test';
  const path = '/callbacks/whatsapp-cloud';
  let http: HttpServer;
  let port: number;
  before(async () => {
    const settings = {
      phoneNumberId: '1',
      token: 't',
      appSecret: APP_SECRET,
      verifyToken: 'v',
      codeTemplate: 'c',
    };
    const cloud = openWhatsappCloud(settings, TOOLS, {
      isWindowOpen: async () => false,
    });
    http = createHttpServer(service.ctx, service.sandbox, [cloud]);
    await http.listen({ port: 0, host: '127.0.0.1' });
    port = (http.server.address() as AddressInfo).port;
  });
  after(() => http.close());

  /** A post of a batch of receipts, as large as the provider sends them. */
  async function report(address: string): Promise<number> {
    const body = JSON.stringify({ entry: [], pad: 'x'.repeat(100_000) });
    const signature = createHmac('sha256', APP_SECRET).update(body).digest('hex');
    const headers = { 'x-hub-signature-256': `sha256=${signature}`, ...from(address) };
    return (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body }))
      .status;
  }

  function postSlowly(address: string): ClientRequest {
    const headers = { 'content-length': 2_000_000, ...from(address) };
    const post = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
    post.on('error', () => undefined);
    post.write('{');
    return post;
  }

  for (const [name, toAddress] of Object.entries<(index: number) => string>({
    'one /64': (i) => `2001:db8:3:1::${i + 1}`,
    'one /48': (i) => `2001:db8:4:${i + 1}::1`,
    'one address': () => '10.2.0.1',
  })) {
    test(`of ${name} leave room for the provider`, async () => {
      const slow = Array.from({ length: 16 }, (_, i) => postSlowly(toAddress(i)));
      await until('the network has its share', async () => (await report(toAddress(0))) === 503);
      assert.equal(await report('10.3.0.1'), 200);
      for (const post of slow) post.destroy();
      await until('the share is given back', async () => (await report(toAddress(0))) === 200);
    });
  }
});

describe('event streams', () => {
  const disconnect = new AbortController();
  /** Garbage collection would close the streams of responses that nobody has. */
  const opened: Response[] = [];
  after(() => disconnect.abort());
  before(async () => {
    await service.http.listen({ port: 0, host: '127.0.0.1' });
  });

  /** Opens a stream and leaves it open. */
  async function open({ cookie }: TestPerson): Promise<number> {
    const { port } = service.http.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/cabinet${M.liveMessages.path}`, {
      headers: { cookie },
      signal: disconnect.signal,
    });
    opened.push(response);
    return response.status;
  }

  test('101 sessions of one person have twenty, a company a hundred, and another company its own', async () => {
    const { phone, companyId } = await person({ role: 'owner' });
    const sessionOf = (phone: string) =>
      person({ phone, companyId: companyId as CompanyId, role: 'viewer' });
    const countOpened = async (sessions: readonly TestPerson[]) => {
      const statuses = [];
      for (const session of sessions) statuses.push(await open(session));
      assert(statuses.every((status) => status === 200 || status === 429));
      return statuses.filter((status) => status === 200).length;
    };
    const sessions = [];
    for (let i = 0; i < 101; i++) sessions.push(await sessionOf(phone));
    assert.equal(await countOpened(sessions), 20, 'a person');
    (await as(sessions[100] as TestPerson).call(M.liveMessages)).refused('too_many_streams');

    const [first] = sessions as [TestPerson];
    assert.equal(await open(first), 429, 'a session of a person who has them all');

    const colleague = await sessionOf(service.phone());
    assert.equal(await countOpened(Array(6).fill(colleague)), 5, 'a session');

    // 25 are open. Four more people could have 80.
    for (let people = 0; people < 4; people++) {
      const phone = service.phone();
      const own = await Promise.all(Array.from({ length: 20 }, () => sessionOf(phone)));
      assert.equal(await countOpened(own), people < 3 ? 20 : 15, 'of a hundred');
    }
    const late = await sessionOf(service.phone());
    (await as(late).call(M.liveMessages)).refused('too_many_streams');
    assert.equal(await open(await person({ role: 'owner' })), 200, 'another company');
  });
});
