import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, integrator, refusal } from './integrator.ts';
import { useServer } from './started-server.ts';

const { running, zhiber } = useServer(async () => {
  const { company_id } = await zhiber('company', 'create', '--name', 'Проба');
  company = String(company_id);
  const key = ['--company', company, '--name', 'ключ', '--test', '--fallback', '15'];
  const created = await zhiber('key', 'create', ...key);
  free = integrator(running().facts.urls.site, String(created.key));
});

let company: string;
let free: ReturnType<typeof integrator>;

// Most of them wait, for the confirmation or for the provider that hangs.
describe('with a test key the number chooses the outcome', { concurrency: true }, () => {
  test('any other number: accepted at once, the code is random and the limits apply', async () => {
    const sent = await free.send('+77012000001');
    assert.deepEqual([sent.status, sent.body.channel, sent.body.cost], [200, 'whatsapp', 0]);
    assert.equal(sent.body.balance, 50);
    assert.equal(
      (await free.verify('+77012000001', await free.codeOn('+77012000001'))).status,
      200,
    );
    assert.deepEqual(refusal(await free.send('+77012000001')), [429, 'send_rate_limited']);
  });

  test('…00: the code is always 000000, without a limit', async () => {
    for (let round = 0; round < 3; round++) {
      assert.equal((await free.send('+77000000000')).status, 200);
      assert.equal((await free.verify('+77000000000', '000000')).status, 200);
    }
  });

  test('…01: not on WhatsApp, so the next channel is used', async () => {
    assert.equal((await free.send('+77000000001')).body.channel, 'telegram');
    const alone = await free.send('+77000000001', { channel: 'whatsapp' });
    assert.deepEqual(refusal(alone), [502, 'delivery_failed']);
  });

  test('…02: WhatsApp never confirms, and the same code comes by the next channel', async () => {
    const sent = await free.send('+77000000002');
    const sentAt = performance.now();
    assert.equal(sent.body.channel, 'whatsapp');
    const arrived = await eventually(
      () => free.inbox('+77000000002', { wait: 1 }),
      (messages) => messages.length >= 2,
    );
    assert(performance.now() - sentAt >= 14_000, 'it waits for the confirmation first');
    assert.deepEqual(
      arrived.map(({ channel, message_id }) => [channel, message_id]),
      [
        ['whatsapp', sent.body.message_id],
        ['telegram', sent.body.message_id],
      ],
    );
    const [first, second] = arrived.map(({ code }) => code);
    assert.equal(second, first);
    assert.equal((await free.verify('+77000000002', second ?? '')).status, 200);
  });

  test('…03: accepted, then a failure receipt: nothing arrives, whatever is tried', async () => {
    assert.equal((await free.send('+77000000003')).body.channel, 'whatsapp');
    assert.deepEqual(await free.inbox('+77000000003', { wait: 2 }), []);
  });

  test('…04: every channel refuses', async () => {
    assert.deepEqual(refusal(await free.send('+77000000004')), [502, 'delivery_failed']);
    assert.deepEqual(refusal(await free.verify('+77000000004', '123456')), [422, 'code_not_found']);
  });

  test('…05: no tokens are left', async () => {
    const refused = await free.send('+77000000005');
    assert.deepEqual(refusal(refused), [402, 'insufficient_tokens']);
    assert.equal(typeof refused.body.required, 'number');
    assert.equal(typeof refused.body.balance, 'number');
  });

  test('…06: too often', async () => {
    assert.deepEqual(refusal(await free.send('+77000000006')), [429, 'send_rate_limited']);
  });

  test('…07: the provider hangs, then the next channel answers', async () => {
    const startedAt = performance.now();
    const sent = await free.send('+77000000007');
    assert.equal(sent.body.channel, 'telegram');
    const took = performance.now() - startedAt;
    assert(took > 3_500, `${took} ms`);
    assert.equal((await free.inbox('+77000000007')).length, 1);
  });

  test('…08: the code is expired when it is verified', async () => {
    assert.equal((await free.send('+77000000008')).status, 200);
    const code = await free.codeOn('+77000000008');
    assert.deepEqual(refusal(await free.verify('+77000000008', code)), [422, 'code_expired']);
  });
});

test('with a live key these numbers are like any other', async () => {
  const created = await zhiber('key', 'create', '--company', company, '--name', 'боевой');
  const live = integrator(running().facts.urls.site, String(created.key));
  const sent = await live.send('+77000000004');
  assert.deepEqual([sent.status, sent.body.cost, sent.body.balance], [200, 3, 47]);
});
