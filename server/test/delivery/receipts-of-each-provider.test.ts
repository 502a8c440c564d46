/**
 * Every provider reports a message of every other one, properly signed: the receipt counts only when
 * it made the attempt. Ids and references are the same for all of them.
 */
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import { webhook } from '../../../simulators/whatsapp/cloud-webhook.ts';
import type { AttemptRef } from '../../src/channels/channel.ts';
import { openHttpProvider } from '../../src/channels/http/http-provider.ts';
import { readWebhookSecret, signWebhook } from '../../src/channels/http/standard-webhooks.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { refText } from '../../src/channels/ref-text.ts';
import { shortRefText } from '../../src/channels/short-ref.ts';
import { openMobizon } from '../../src/channels/sms/mobizon.ts';
import { openSmsc } from '../../src/channels/sms/smsc.ts';
import { openTelegramGateway } from '../../src/channels/telegram/gateway.ts';
import { openWhatsappCloud } from '../../src/channels/whatsapp/cloud.ts';
import { openGreenApi } from '../../src/channels/whatsapp/green-api.ts';
import { rememberIds } from '../../src/delivery/provider-id-store.ts';
import { createHttpServer, type HttpServer } from '../../src/http/transport/server.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { useService } from '../harness.ts';
import {
  CLOUD,
  GATEWAY_TOKEN,
  GREEN_API,
  HTTP,
  MOBIZON,
  SMSC,
} from '../providers/provider-rigs.ts';
import { type Scope, startParrot } from '../providers/rig/local-server.ts';
import { TOOLS } from '../providers/rig/tools.ts';
import { scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

type Reported = { ref: AttemptRef; id: string; phone: string };
type Call = { headers?: Readonly<Record<string, string>>; body: string };

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex');

/** A delivery as each provider reports it. */
const DELIVERED: Readonly<Record<string, (reported: Reported) => Call>> = {
  'whatsapp-cloud': ({ ref, id, phone }) => {
    const status = { id, status: 'delivered', recipient_id: phone.slice(1) };
    const statuses = [{ ...status, biz_opaque_callback_data: refText(ref) }, status];
    const { headers = {}, body = '' } = webhook({ ...CLOUD, callbackUrl: '' }, { statuses });
    return { headers, body };
  },
  'green-api': ({ id, phone }) => ({
    headers: { authorization: `Bearer ${GREEN_API.callbackToken}` },
    body: JSON.stringify({
      typeWebhook: 'outgoingMessageStatus',
      instanceData: { idInstance: Number(GREEN_API.instanceId) },
      chatId: `${phone.slice(1)}@c.us`,
      idMessage: id,
      status: 'delivered',
      sendByApi: true,
    }),
  }),
  'telegram-gateway': ({ ref, id }) => {
    const body = JSON.stringify({
      request_id: id,
      delivery_status: { status: 'delivered', updated_at: nowSeconds() },
      payload: refText(ref),
    });
    const timestamp = String(nowSeconds());
    const key = createHash('sha256').update(GATEWAY_TOKEN).digest();
    const signature = hmac(key, `${timestamp}\n${body}`);
    return {
      headers: { 'x-request-timestamp': timestamp, 'x-request-signature': signature },
      body,
    };
  },
  smsc: ({ ref, phone }) => {
    const id = shortRefText(ref);
    const text = `${id}:${phone.slice(1)}:1:${SMSC.callbackSecret}`;
    const sha1 = createHash('sha1').update(text).digest('hex');
    return {
      body: new URLSearchParams({ id, phone: phone.slice(1), status: '1', sha1 }).toString(),
    };
  },
  mobizon: ({ id }) => {
    const [eventId, attempt, eventCreateTs] = ['26', '1', '2026-01-15 11:42:28'];
    const text = [eventId, attempt, eventCreateTs, MOBIZON.callbackSecret].join('|');
    const sign = createHash('sha1').update(text).digest('hex');
    const data = { messageId: id, status: 'DELIVRD' };
    const eventType = 'sms-delivery-report';
    return { body: JSON.stringify({ eventId, attempt, eventCreateTs, eventType, data, sign }) };
  },
  'http-sms': deliveredByHttp,
  'http-sms-2': deliveredByHttp,
};

function deliveredByHttp({ ref }: Reported): Call {
  const body = JSON.stringify({ reference: refText(ref), status: 'delivered' });
  const key = readWebhookSecret(HTTP.secret);
  assert.ok(key);
  return { headers: signWebhook(key, { id: 'msg_1', body, at: new Date() }), body };
}

const CHANNEL: Readonly<Record<string, Channel>> = {
  'whatsapp-cloud': 'whatsapp',
  'green-api': 'whatsapp',
  'telegram-gateway': 'telegram',
};

describe('a receipt counts only for the provider that made the attempt', () => {
  let http: HttpServer;
  let providers: readonly Provider[] = [];
  const mobizonAnswer = { status: 200, body: {} };
  const closes: (() => unknown)[] = [];

  before(async () => {
    const scope: Scope = { after: (close) => closes.push(close) };
    const { url } = await startParrot(scope, mobizonAnswer);
    providers = [
      openWhatsappCloud({ ...CLOUD, codeTemplate: 'otp_code' }, TOOLS, {
        isWindowOpen: async () => false,
      }),
      openGreenApi(GREEN_API, TOOLS),
      openTelegramGateway({ token: GATEWAY_TOKEN }, TOOLS),
      openSmsc(SMSC, TOOLS),
      openMobizon({ ...MOBIZON, url }, TOOLS),
      openHttpProvider({ ...HTTP, url: 'http://x.kz' }, TOOLS),
      openHttpProvider({ ...HTTP, name: 'http-sms-2', url: 'http://x.kz' }, TOOLS),
    ];
    http = createHttpServer(service.ctx, service.sandbox, providers);
  });
  after(async () => {
    await http.close();
    await Promise.all(providers.map((provider) => provider.stop?.()));
    for (const close of closes) await close();
  });

  const report = async (provider: string, reported: Reported) => {
    const { headers = {}, body } = DELIVERED[provider]?.(reported) ?? assert.fail(provider);
    const url = `/callbacks/${provider}`;
    const answer = await http.inject({
      method: 'POST',
      url,
      headers: { ...headers },
      payload: body,
    });
    assert.equal(answer.statusCode, 200, `${provider}: ${answer.body}`);
  };

  let lastId = 500_000;
  for (const name of Object.keys(DELIVERED)) {
    test(`which is ${name}`, async () => {
      const [key, phone, id] = [await service.key(), service.phone(), String(++lastId)];
      mobizonAnswer.body = { code: 0, data: [{ id, status: 'DELIVRD' }] };
      const channel = CHANNEL[name] ?? 'sms';
      channels[channel].onSend(phone, () => ({ result: 'accepted', providerId: `${name}:${id}` }));
      const sent = await service.call('/otp/send', { phone, channel }, key);
      const messageId = sent.body.message_id as MessageId;
      const ref = { companyId: key.companyId, messageId, attempt: 1 };
      const provider = providers.find((one) => one.name === name);
      if (provider?.receiptKey === 'id') {
        await service.ctx.db.inGroup(rememberIds, { ref, providerIds: [`${name}:${id}`] });
      }
      const state = async () =>
        (await findTimeline(service.ctx.db, key.companyId, messageId))?.state;

      for (const other of Object.keys(DELIVERED)) {
        if (other !== name) await report(other, { ref, id, phone });
        assert.equal(await state(), 'sent', `after ${other}`);
      }
      await report(name, { ref, id, phone });
      assert.equal(await state(), 'delivered');
    });
  }
});
