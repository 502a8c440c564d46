/** Messages of broadcasts: a second copy is worse than none, and nobody waits for them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Accepted, OutgoingMessage, Receipt } from '../../src/channels/channel.ts';
import { deliver } from '../../src/delivery/deliver.ts';
import { recordReceipt } from '../../src/delivery/record-receipt.ts';
import { reserve } from '../../src/delivery/reserve-store.ts';
import { sendByRoute } from '../../src/delivery/send-by-route.ts';
import { watchOnce } from '../../src/delivery/watch.ts';
import { claimFallback } from '../../src/delivery/watch-store.ts';
import { type MessageId, newId } from '../../src/ids.ts';
import type { Phone } from '../../src/phone.ts';
import type { TestKey } from '../harness.ts';
import { useRestartedService } from '../money/two-nodes.ts';
import { claimThenDie, readMessage } from './dead-process.ts';
import {
  answersUnavailable,
  answersUnknown,
  countSends,
  EVERYTHING,
  refuses,
  type Script,
  scriptedChannel,
} from './scripted-channel.ts';

const PRICES = { whatsapp: 3, telegram: 3, sms: 8 };
const LINK = 'https://zhiber.example/s/Kd7mWq3x';

/** The phones whose message SMS says that it has accepted. */
const takenBySms = new Set<string>();

/** WhatsApp can be retried, SMS can be asked, Telegram neither. */
const channels = Object.fromEntries(
  CHANNELS.map((name) => {
    const channel = scriptedChannel(name, [...EVERYTHING, 'broadcast']);
    if (name === 'whatsapp') return [name, { ...channel, recover: channel.send }];
    if (name === 'telegram') return [name, channel];
    const findAccepted = async ({
      to,
    }: Pick<OutgoingMessage, 'to'>): Promise<Accepted | undefined> =>
      'phone' in to && takenBySms.has(`+${to.phone}`)
        ? { result: 'accepted', providerId: 'sms-has-it' }
        : undefined;
    return [name, { ...channel, findAccepted }];
  }),
) as Record<Channel, ReturnType<typeof scriptedChannel>>;
const { service, restarted } = useRestartedService(channels);

type Sent = { key: TestKey; phone: string; id: MessageId; broadcastId: string };

/** A running broadcast that never rests, and its recipient. */
async function openBroadcast(): Promise<Sent> {
  const key = await service.key();
  const broadcastId = newId(Date.now());
  await service.sql(
    `insert into broadcast (id, company_id, name, state, quiet_from, quiet_to, skips_days_off)
     values ($1, $2, 'Осень', 'running', 0, 0, false)`,
    [broadcastId, key.companyId],
  );
  return { key, phone: service.phone(), id: newId(Date.now()), broadcastId };
}

const reservationOf = ({ phone }: Sent) => ({
  kind: 'broadcast' as const,
  recipient: phone.slice(1),
  limits: null,
  body: `Скидка 20 %: ${LINK}`,
  code: null,
  link: null,
});

const toRoute = (names: readonly Channel[]) =>
  names.map((channel) => ({ channel, price: PRICES[channel] }));

/** Sends the message of a recipient as the engine does. */
async function send(names: readonly Channel[], sent?: Sent): Promise<Sent> {
  const opened = sent ?? (await openBroadcast());
  await sendByRoute(service.ctx, {
    key: await service.ctx.keys.read(opened.key.keyId),
    messageId: opened.id,
    requestId: opened.broadcastId,
    route: toRoute(names),
    fallsBack: true,
    draft: draftTo(opened.phone),
    reservation: reservationOf(opened),
  });
  return opened;
}

function draftTo(phone: string) {
  return {
    to: { phone: phone.slice(1) as Phone },
    content: 'broadcast' as const,
    isBulk: true as const,
    language: 'ru' as const,
    compose: () => ({ text: `Скидка 20 %: ${LINK}`, link: LINK }),
  };
}

/** A message whose process died after the claim. */
async function sendThenDie(names: readonly Channel[]): Promise<Sent> {
  const opened = await openBroadcast();
  const reserved = await service.ctx.db.inGroup(reserve, {
    ...reservationOf(opened),
    id: opened.id,
    companyId: opened.key.companyId,
    keyId: opened.key.keyId,
    isTest: false,
    route: names,
    prices: names.map((name) => PRICES[name]),
    requestId: opened.broadcastId,
    checkSeconds: 31,
  });
  assert.equal(reserved.verdict, 'reserved');
  return opened;
}

/** A sent message is checked after ten minutes, and again ten minutes after a check that found it resting. */
const SILENCE_SECONDS = 601;

async function watchAfter(seconds: number, now = new Date()): Promise<void> {
  await service.passTime(seconds);
  await watchOnce({ ...restarted(), clock: { now: () => now } });
}

const report = ({ key, id }: Sent, receipt: Receipt, attempt = 1) =>
  recordReceipt(service.ctx, {
    ref: { companyId: key.companyId, messageId: id, attempt },
    receipt,
  });

/** Records a failure as another node does that dies then, so that the watch falls back. */
const failSilently = ({ id }: Sent) =>
  service.sql(`update message set receipt = 'failed', receipt_at = now() where id = $1`, [id]);

const sends = ({ phone }: Sent) => countSends(channels, phone);
const stored = async ({ key, id }: Sent) => {
  const { state, receipt, channel, route, charged } = await readMessage(service, key, id);
  return { state, receipt, channel, route, charged };
};
const setState = ({ broadcastId }: Sent, state: string, reason: string | null = null) =>
  service.sql('update broadcast set state = $2, pause_reason = $3 where id = $1', [
    broadcastId,
    state,
    reason,
  ]);
const unsubscribe = ({ phone, key }: Sent) =>
  service.sql(`insert into unsubscribed (phone, company_id, source) values ($1, $2, 'word')`, [
    phone.slice(1),
    key.companyId,
  ]);

describe('the delivery of a bulk message', () => {
  const ROUTE = toRoute(['whatsapp', 'telegram', 'sms']);
  const stopped: Script = () => ({ result: 'refused', reason: 'Отказался', isUnsubscribed: true });
  const CASES: Record<string, [whatsapp: Script, expected: string[]]> = {
    'ends at an unknown outcome': [answersUnknown, ['whatsapp unknown']],
    'goes on after a refusal': [refuses, ['whatsapp refused', 'telegram accepted']],
    'goes on when the channel is unavailable': [
      answersUnavailable,
      ['whatsapp unavailable', 'telegram accepted'],
    ],
    'ends when the recipient wants no broadcasts': [stopped, ['whatsapp refused']],
  };
  for (const [name, [script, expected]] of Object.entries(CASES)) {
    test(name, async () => {
      const phone = service.phone();
      channels.whatsapp.onSend(phone, script);
      const { companyId, keyId } = await service.key();
      const draft = {
        ...draftTo(phone),
        ref: { companyId, messageId: newId(Date.now()), attempt: 1 },
        keyId,
        isTest: false,
      };
      const { attempts, accepted } = await deliver(service.ctx, draft, ROUTE);
      assert.deepEqual(
        attempts.map(({ channel, state }) => `${channel} ${state}`),
        expected,
      );
      assert.equal(accepted !== undefined, expected.length > 1);
    });
  }
});

describe('silence', () => {
  test('is no reason for another channel; a failure within a day is one', async () => {
    const sent = await send(['whatsapp', 'sms']);
    await watchAfter(SILENCE_SECONDS);
    await watchAfter(12 * 3_600);
    await watchAfter(11 * 3_600);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
    assert.equal((await stored(sent)).route, 'sms');
    await failSilently(sent);
    await watchAfter(3_599);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 1 });
    const [again] = channels.sms.sentTo(sent.phone);
    assert.deepEqual(
      { content: again?.content, isBulk: again?.isBulk, text: again?.text },
      { content: 'broadcast', isBulk: true, text: `Скидка 20 %: ${LINK}` },
    );
    await report(sent, 'delivered', 2);
    assert.deepEqual(await stored(sent), {
      state: 'sent',
      receipt: 'delivered',
      channel: 'sms',
      route: '',
      charged: 8,
    });
  });

  test('is no reason for a claim either, whoever asks for it', async () => {
    const sent = await send(['whatsapp', 'sms']);
    await service.passTime(3_600);
    const message = await readMessage(service, sent.key, sent.id);
    const next = { attempt: 1, channel: 'sms', route: '', price: 8, leaseSeconds: 20 } as const;
    const claim = await claimFallback(service.ctx.db, message, { ...next, now: new Date() });
    assert.equal(claim.verdict, 'gone');
    await report(sent, 'delivered');
  });

  test('of a day closes the route', async () => {
    const sent = await send(['whatsapp', 'sms']);
    await watchAfter(SILENCE_SECONDS);
    await watchAfter(24 * 3_600);
    assert.deepEqual(await stored(sent), {
      state: 'sent',
      receipt: 'unconfirmed',
      channel: 'whatsapp',
      route: '',
      charged: 3,
    });
    await report(sent, 'failed');
    await watchAfter(SILENCE_SECONDS);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
  });

  test('a status that is asked for counts like a receipt', async () => {
    const sent = await openBroadcast();
    channels.whatsapp.onStatusQuery(sent.phone, async () => ({ receipt: 'delivered' }));
    await send(['whatsapp', 'sms'], sent);
    await watchAfter(590);
    assert.equal((await stored(sent)).receipt, null, 'most receipts come within minutes');
    await watchAfter(11);
    assert.equal((await stored(sent)).receipt, 'delivered');
  });
});

describe('a fallback of a broadcast', () => {
  async function sendAndFail(names: readonly Channel[]) {
    const sent = await send(names);
    await failSilently(sent);
    return sent;
  }

  test('ends at an unknown outcome', async () => {
    const sent = await sendAndFail(['whatsapp', 'telegram', 'sms']);
    channels.telegram.onSend(sent.phone, answersUnknown);
    await watchAfter(SILENCE_SECONDS);
    await watchAfter(3_600);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 1, sms: 0 });
    assert.equal((await stored(sent)).route, '');
  });

  test('goes on after a refusal', async () => {
    const sent = await sendAndFail(['whatsapp', 'telegram', 'sms']);
    channels.telegram.onSend(sent.phone, refuses);
    await watchAfter(SILENCE_SECONDS);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 1, sms: 1 });
    await report(sent, 'delivered', 3);
  });

  test('that a dead process has claimed becomes unknown, and ends it', async () => {
    const sent = await sendAndFail(['whatsapp', 'telegram', 'sms']);
    const message = await readMessage(service, sent.key, sent.id);
    await claimThenDie(service, message, { channel: 'telegram', route: 'sms', price: 3 });
    await watchAfter(21);
    await watchAfter(3_600);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
    assert.equal((await stored(sent)).route, '');
  });

  const NEVER: Record<string, (sent: Sent) => Promise<unknown>> = {
    'who has unsubscribed since': unsubscribe,
    'of a broadcast that was cancelled': (sent) => setState(sent, 'cancelled'),
  };
  for (const [name, change] of Object.entries(NEVER)) {
    test(`does not reach a recipient ${name}`, async () => {
      const sent = await sendAndFail(['whatsapp', 'sms']);
      await change(sent);
      await watchAfter(SILENCE_SECONDS);
      assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
      assert.equal((await stored(sent)).route, '');
    });
  }

  test('waits while the broadcast is paused, and goes on afterwards', async () => {
    const sent = await sendAndFail(['whatsapp', 'sms']);
    await setState(sent, 'paused', 'person');
    await watchAfter(SILENCE_SECONDS);
    await watchAfter(SILENCE_SECONDS);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
    await setState(sent, 'running');
    await watchAfter(SILENCE_SECONDS);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 1 });
    await report(sent, 'delivered', 2);
  });

  for (const { name, rules, quiet, allowed } of [
    {
      name: 'the quiet hours',
      rules: 'quiet_from = 12, quiet_to = 14',
      quiet: '2026-11-18T13:00+05:00',
      allowed: '2026-11-18T14:00+05:00',
    },
    {
      name: 'quiet hours that pass midnight',
      rules: 'quiet_from = 21, quiet_to = 9',
      quiet: '2026-11-18T08:59+05:00',
      allowed: '2026-11-18T09:00+05:00',
    },
    {
      name: 'a weekend',
      rules: 'skips_days_off = true',
      quiet: '2026-11-22T23:59+05:00',
      allowed: '2026-11-23T00:00+05:00',
    },
  ]) {
    test(`waits during ${name}`, async () => {
      const sent = await sendAndFail(['whatsapp', 'sms']);
      await service.sql(`update broadcast set ${rules} where id = $1`, [sent.broadcastId]);
      await watchAfter(SILENCE_SECONDS, new Date(quiet));
      assert.equal(sends(sent).sms, 0);
      await watchAfter(SILENCE_SECONDS, new Date(quiet));
      assert.equal(sends(sent).sms, 0);
      await watchAfter(SILENCE_SECONDS, new Date(allowed));
      assert.equal(sends(sent).sms, 1);
      await report(sent, 'delivered', 2);
    });
  }

  test('that has waited for a day is given up', async () => {
    const sent = await sendAndFail(['whatsapp', 'sms']);
    await setState(sent, 'paused', 'person');
    await watchAfter(24 * 3_600);
    assert.equal((await stored(sent)).route, '');
    assert.equal(sends(sent).sms, 0);
  });
});

describe('a broadcast message whose process died after the claim', () => {
  const UNKNOWN = { state: 'unknown', receipt: null, channel: null, route: '', charged: 0 };

  test('is finished where the channel can avoid a duplicate', async () => {
    const sent = await sendThenDie(['whatsapp']);
    await watchAfter(40);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
    const [message] = channels.whatsapp.sentTo(sent.phone);
    assert.deepEqual(
      { content: message?.content, isBulk: message?.isBulk, attempt: message?.ref.attempt },
      { content: 'broadcast', isBulk: true, attempt: 1 },
    );
    assert.deepEqual(await stored(sent), {
      state: 'sent',
      receipt: null,
      channel: 'whatsapp',
      route: '',
      charged: 3,
    });
  });

  test('is unknown and free where the channel cannot', async () => {
    const sent = await sendThenDie(['telegram']);
    await watchAfter(40);
    assert.deepEqual(sends(sent), { whatsapp: 0, telegram: 0, sms: 0 });
    assert.deepEqual(await stored(sent), { ...UNKNOWN, channel: 'telegram' });
    const [row] = await service.sql('select reason from message where id = $1', [sent.id]);
    assert.deepEqual(row, { reason: 'Обработка прервана' });
  });

  test('is unknown and free when the channel cannot tell', async () => {
    const sent = await sendThenDie(['whatsapp']);
    channels.whatsapp.onSend(sent.phone, answersUnknown);
    await watchAfter(40);
    assert.deepEqual(await stored(sent), { ...UNKNOWN, channel: 'whatsapp' });
  });

  test('is not sent again by one of several channels: another one may have it', async () => {
    const sent = await sendThenDie(['whatsapp', 'telegram']);
    await watchAfter(40);
    assert.deepEqual(sends(sent), { whatsapp: 0, telegram: 0, sms: 0 });
    assert.deepEqual(await stored(sent), UNKNOWN);
  });

  test('is charged when one of several channels says that it has it', async () => {
    const sent = await sendThenDie(['whatsapp', 'sms', 'telegram']);
    takenBySms.add(sent.phone);
    await watchAfter(40);
    assert.deepEqual(sends(sent), { whatsapp: 0, telegram: 0, sms: 0 });
    assert.deepEqual(await stored(sent), {
      state: 'sent',
      receipt: null,
      channel: 'sms',
      route: 'telegram',
      charged: 8,
    });
  });

  const NO_LONGER: Record<string, (sent: Sent) => Promise<unknown>> = {
    'whose recipient has unsubscribed since': unsubscribe,
    'whose broadcast was cancelled': (sent) => setState(sent, 'cancelled'),
    'that providers may have forgotten': () => service.passTime(15 * 60),
  };
  test('is sent all the same when its broadcast was paused since: it was taken before', async () => {
    const sent = await sendThenDie(['whatsapp']);
    await setState(sent, 'paused', 'person');
    await watchAfter(40);
    assert.deepEqual(sends(sent), { whatsapp: 1, telegram: 0, sms: 0 });
    assert.equal((await stored(sent)).state, 'sent');
  });

  for (const [name, change] of Object.entries(NO_LONGER)) {
    test(`is not sent now, ${name}`, async () => {
      const sent = await sendThenDie(['whatsapp']);
      await change(sent);
      await watchAfter(40);
      assert.deepEqual(sends(sent), { whatsapp: 0, telegram: 0, sms: 0 });
      assert.deepEqual(await stored(sent), UNKNOWN);
    });
  }
});
