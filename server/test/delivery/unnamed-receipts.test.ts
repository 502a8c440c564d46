/** Receipts of WhatsApp without our reference: their message is found by its id and the phone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { webhook } from '../../../simulators/whatsapp/cloud-webhook.ts';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { createHttpServer, type HttpServer } from '../../src/http/transport/server.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { type TestKey, until, useService } from '../harness.ts';
import { CLOUD } from '../providers/provider-rigs.ts';
import { TOOLS } from '../providers/rig/tools.ts';
import { countSends, type Script, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });
let http: HttpServer;

const acceptsAs =
  (providerId: string): Script =>
  () => ({ result: 'accepted', providerId });

type Sent = { key: TestKey; phone: string; id: MessageId; wamid: string };

let wamids = 0;

/** Sends a code that WhatsApp accepts under a new id. */
async function send(channel: Channel | 'auto' = 'whatsapp', given: Partial<Sent> = {}) {
  const { key = await service.key(), phone = service.phone() } = given;
  const wamid = `wamid.HBgL${++wamids}`;
  channels.whatsapp.onSend(phone, acceptsAs(`whatsapp-cloud:${wamid}`));
  const sent = await service.call('/otp/send', { phone, channel }, key);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  return { key, phone, id: sent.body.message_id as MessageId, wamid };
}

/** A webhook with statuses that have no reference. */
async function report(...statuses: object[]): Promise<number> {
  const { headers, body } = webhook({ ...CLOUD, callbackUrl: '' }, { statuses });
  const answer = await http.inject({
    method: 'POST',
    url: '/callbacks/whatsapp-cloud',
    headers: { ...headers },
    payload: body ?? '',
  });
  return answer.statusCode;
}

const statusOf = (
  { wamid, phone }: Pick<Sent, 'wamid' | 'phone'>,
  status: string,
  code = 131026,
) => ({
  id: wamid,
  status,
  recipient_id: phone.slice(1),
  ...(status === 'failed' && { errors: [{ code }] }),
});

const stateOf = async ({ key, id }: Pick<Sent, 'key' | 'id'>) =>
  (await findTimeline(service.ctx.db, key.companyId, id))?.state;

describe('a receipt without a reference', () => {
  before(() => {
    const settings = { ...CLOUD, codeTemplate: 'otp_code' };
    const cloud = openWhatsappCloud(settings, TOOLS, { isWindowOpen: async () => false });
    http = createHttpServer(service.ctx, service.sandbox, [cloud]);
  });
  after(() => http.close());

  test('a delivery and a failure count for the message with the id', async () => {
    const [delivered, failed] = [await send(), await send()];
    assert.equal(await report(statusOf(delivered, 'delivered'), statusOf(failed, 'failed')), 200);
    assert.deepEqual([await stateOf(delivered), await stateOf(failed)], ['delivered', 'failed']);
  });

  test('a failure lets the code go by the next channel at once', async () => {
    const sent = await send('auto');
    await report(statusOf(sent, 'failed'));
    await until('the fallback', async () => channels.telegram.sentTo(sent.phone).length === 1);
    assert.deepEqual(countSends(channels, sent.phone), { whatsapp: 1, telegram: 1, sms: 0 });
  });

  test('a delivery counts for the attempt that WhatsApp made, not for the fallback', async () => {
    const sent = await send('auto');
    await service.passTime(32);
    await watchOnce(service.ctx);
    assert.equal(channels.telegram.sentTo(sent.phone).length, 1);
    await report(statusOf(sent, 'delivered'));
    const attempts = await service.sql(
      'select number, receipt from attempt where message_id = $1 order by number',
      [sent.id],
    );
    assert.deepEqual(attempts, [
      { number: 1, receipt: 'delivered' },
      { number: 2, receipt: null },
    ]);
  });

  test('what others send from the same number changes nothing', async () => {
    const sent = await send();
    const other = { wamid: 'wamid.of-somebody', phone: sent.phone };
    const elsewhere = { wamid: sent.wamid, phone: service.phone() };
    for (const status of ['failed', 'delivered']) {
      assert.equal(await report(statusOf(other, status), statusOf(elsewhere, status)), 200);
    }
    await report({ ...statusOf(sent, 'failed'), recipient_id: undefined });
    assert.equal(await stateOf(sent), 'sent');
  });

  test('a code of the same phone from another company is told apart', async () => {
    const first = await send();
    const second = await send('whatsapp', { phone: first.phone });
    await report(statusOf(first, 'failed'));
    assert.deepEqual([await stateOf(first), await stateOf(second)], ['failed', 'sent']);
  });

  test('a receipt that comes before its acceptance is looked for again', async () => {
    const [key, phone] = [await service.key(), service.phone()];
    const wamid = 'wamid.early';
    channels.whatsapp.onSend(phone, async () => {
      assert.equal(await report(statusOf({ wamid, phone }, 'delivered')), 200);
      return { result: 'accepted', providerId: `whatsapp-cloud:${wamid}` };
    });
    const { body } = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
    const sent = { key, id: body.message_id as MessageId };
    await until('the receipt', async () => (await stateOf(sent)) === 'delivered');
  });

  test('a broadcast is found too, and a person who wants none is left alone first', async () => {
    const { companyId, keyId } = await service.key();
    const [phone, id, wamid] = [service.phone(), newId(Date.now()), 'wamid.broadcast'];
    const broadcastId = newId(Date.now());
    await service.sql(
      `insert into broadcast (id, company_id, name, state) values ($1, $2, 'Осень', 'running')`,
      [broadcastId, companyId],
    );
    await service.sql(
      `insert into broadcast_row (broadcast_id, number, company_id, cells, phone, verdict, message_id)
       values ($1, 1, $2, '{}', $3, 'send', $4)`,
      [broadcastId, companyId, phone.slice(1), id],
    );
    await service.sql(
      `insert into message (company_id, id, key_id, kind, is_test, recipient, state, channel, route, provider_id, request_id,
         created_at, settled_at, next_check_at)
       values ($1, $2, $3, 'broadcast', false, $4, 'sent', 'whatsapp', 'sms', $5, $6,
         clock_timestamp(), clock_timestamp(), clock_timestamp() + interval '1 hour')`,
      [companyId, id, keyId, phone.slice(1), `whatsapp-cloud:${wamid}`, broadcastId],
    );
    await report(statusOf({ wamid, phone }, 'failed', 131050));
    const unsubscribed = await service.sql<{ phone: string }>(
      'select phone::text as phone from unsubscribed where company_id = $1',
      [companyId],
    );
    assert.deepEqual(unsubscribed, [{ phone: phone.slice(1) }]);
    assert.deepEqual(await service.sql('select receipt from message where id = $1', [id]), [
      { receipt: 'failed' },
    ]);
    await service.sql('delete from message where id = $1', [id]);
  });
});
