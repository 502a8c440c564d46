import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Receipt } from '../../src/channels/channel.ts';
import type { Sql } from '../../src/db/sql.ts';
import { recordReceiptsById, rememberIds } from '../../src/delivery/provider-id-store.ts';
import { recordReport } from '../../src/delivery/record-receipt.ts';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import type { Phone } from '../../src/phone.ts';
import { countLockWaiters, runConcurrently, until, useService } from '../harness.ts';
import { answersUnknown, countSends, scriptedChannels } from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });
let ids = 0;

async function send(channel: Channel | 'auto' = 'sms') {
  const key = await service.key();
  const phone = service.phone().slice(1) as Phone;
  const sent = await service.call('/otp/send', { phone: `+${phone}`, channel }, key);
  assert.equal(sent.status, 200);
  const ref = {
    companyId: key.companyId,
    messageId: sent.body.message_id as MessageId,
    attempt: 1,
  };
  const state = async () =>
    (await findTimeline(service.ctx.db, key.companyId, ref.messageId))?.state;
  const newId = () => `id-${++ids}`;
  const remember = (...own: string[]) =>
    service.ctx.db.inGroup(rememberIds, { ref, providerIds: own.map((id) => `smsc:${id}`) });
  /** From a centre whose ids repeat. */
  const take = (...own: string[]) =>
    service.ctx.db.inGroup(rememberIds, {
      ref,
      providerIds: own.map((id) => `smpp:1f0c/${id}`),
      phone,
    });
  return { ref, phone, state, newId, remember, take };
}

const report = (providerId: string, receipt: Receipt, reason?: string) =>
  recordReport(service.ctx, 'smsc', { providerId, receipt, reason });

const centreReports = (id: string, receipt: Receipt, phone?: string) =>
  recordReport(service.ctx, 'smpp', { providerId: `1f0c/${id}`, phone, receipt });

const statesOf = (...sends: { state(): Promise<string | undefined> }[]) =>
  Promise.all(sends.map(({ state }) => state()));

test('a receipt with the id of the provider finds its message', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  assert.equal(await remember(id), true);
  assert.equal(await state(), 'sent');
  await report(id, 'delivered');
  assert.equal(await state(), 'delivered');
  await report(id, 'failed');
  assert.equal(await state(), 'delivered', 'a delivered message does not fail later');
});

test('a receipt that arrives before the answer of the provider is kept and applied', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  await report(id, 'delivered');
  await report(id, 'read');
  await report(id, 'delivered');
  assert.equal(await state(), 'sent');
  await remember(id);
  assert.equal(await state(), 'delivered', 'an SMS is never shown as read');
});

test('of receipts that wait the best counts, and a repetition without a reason keeps the reason', async () => {
  const [reached, failed] = [await send(), await send()];
  const ids = [reached.newId(), failed.newId()] as const;
  await report(ids[0], 'delivered');
  await report(ids[0], 'failed');
  await reached.remember(ids[0]);
  assert.equal(await reached.state(), 'delivered');

  await report(ids[1], 'failed', 'Телефон выключен');
  await report(ids[1], 'failed');
  await failed.remember(ids[1]);
  const [row] = await service.sql('select receipt, reason from message where id = $1', [
    failed.ref.messageId,
  ]);
  assert.deepEqual(row, { receipt: 'failed', reason: 'Телефон выключен' });
});

test('a receipt is new once, and not while its id waits for a message', async () => {
  const { newId, remember } = await send();
  const [early, later] = [newId(), newId()];
  const areNew = async (id: string, count: number) => {
    const found: boolean[] = [];
    for (let i = 0; i < count; i++) {
      const given = { providerId: `smsc:${id}`, receipt: 'delivered' } as const;
      const [recorded] = await recordReceiptsById.run(service.ctx.db, [given]);
      found.push(recorded?.isNew === true);
    }
    return found;
  };
  assert.deepEqual(await areNew(early, 2), [false, false]);
  await remember(later);
  assert.deepEqual(await areNew(later, 3), [true, false, false]);
});

test('an id that comes after the outcome was settled as unknown makes receipts count', async () => {
  const key = await service.key();
  const phone = service.phone();
  channels.sms.onSend(phone, answersUnknown);
  const sent = await service.call('/otp/send', { phone, channel: 'sms' }, key);
  assert.equal(sent.body.error_code, 'delivery_unconfirmed');
  const [message] = channels.sms.sentTo(phone);
  assert.ok(message);
  const id = `id-${++ids}`;
  await service.ctx.db.inGroup(rememberIds, { ref: message.ref, providerIds: [`smsc:${id}`] });
  await report(id, 'delivered');
  const { companyId, messageId } = message.ref;
  const timeline = await findTimeline(service.ctx.db, companyId, messageId);
  assert.equal(timeline?.state, 'delivered');
});

test('a receipt and the answer at the same moment: the receipt is applied, whichever is first', async () => {
  const sends = await Promise.all(Array.from({ length: 60 }, () => send()));
  const named = sends.map((sent) => ({ ...sent, id: sent.newId() }));
  await runConcurrently(named.length * 2, async (index) => {
    const sent = named[index >> 1] as (typeof named)[number];
    await (index % 2 === 0 ? sent.remember(sent.id) : report(sent.id, 'delivered'));
  });
  const states = await Promise.all(named.map(({ state }) => state()));
  assert.deepEqual(new Set(states), new Set(['delivered']));
});

test('an id that a provider gave to two messages is reported and stays with the first', async () => {
  const [first, second] = [await send(), await send()];
  const id = first.newId();
  assert.equal(await first.remember(id), true);
  assert.equal(await second.remember(id), false);
  assert.equal(await first.remember(id), true, 'a repeat is harmless');
  await report(id, 'delivered');
  assert.deepEqual([await first.state(), await second.state()], ['delivered', 'sent']);
});

test('ids of different providers do not collide', async () => {
  const { state, newId, remember } = await send();
  const id = newId();
  await remember(id);
  await recordReport(service.ctx, 'mobizon', { providerId: id, receipt: 'failed' });
  assert.equal(await state(), 'sent');
});

test('a multipart message is delivered when all parts are', async () => {
  const { state, newId, remember } = await send();
  const parts = [newId(), newId(), newId()] as const;
  await remember(...parts);
  await report(parts[0], 'delivered');
  await report(parts[2], 'delivered');
  await report(parts[2], 'delivered');
  assert.equal(await state(), 'sent');
  await report(parts[1], 'delivered');
  assert.equal(await state(), 'delivered');
});

test('a multipart message fails when one part fails', async () => {
  const { state, newId, remember } = await send();
  const parts = [newId(), newId()] as const;
  await remember(...parts);
  await report(parts[0], 'delivered');
  await report(parts[1], 'failed', 'Телефон выключен');
  assert.equal(await state(), 'failed');
});

test('a failed part of another attempt does not fail this one', async () => {
  const { ref, state, newId, remember } = await send();
  const own = [newId(), newId()] as const;
  const others = [newId(), newId()] as const;
  await remember(...own);
  const providerIds = others.map((id) => `smsc:${id}`);
  await rememberIds.run(service.ctx.db, [{ ref: { ...ref, attempt: 2 }, providerIds }]);
  await report(others[0], 'failed');
  for (const id of own) await report(id, 'delivered');
  assert.equal(await state(), 'delivered');
});

test('of two parts that two nodes report at once, the second sees the first', async () => {
  const { state, newId, remember } = await send();
  const [first, second] = [newId(), newId()];
  await remember(first, second);
  const record = (sql: Sql, id: string) =>
    recordReceiptsById.run(sql, [{ providerId: `smsc:${id}`, receipt: 'delivered' }]);
  let other: Promise<unknown> = Promise.resolve();
  await service.ctx.db.transaction(async (tx) => {
    await record(tx, first);
    let isDone = false;
    other = record(service.ctx.db, second).then(() => {
      isDone = true;
    });
    await until(
      'the second waits for the first',
      async () => isDone || (await countLockWaiters(service.sql)) > 0,
    );
  });
  await other;
  assert.equal(await state(), 'delivered');
});

test('receipts of parts that arrive at once and before the answer are all applied', async () => {
  const sends = await Promise.all(Array.from({ length: 30 }, () => send()));
  const named = sends.map((sent) => ({ ...sent, parts: [sent.newId(), sent.newId()] as const }));
  await runConcurrently(named.length * 3, async (index) => {
    const sent = named[Math.floor(index / 3)] as (typeof named)[number];
    if (index % 3 === 0) await sent.remember(...sent.parts);
    else await report(sent.parts[index % 3 === 1 ? 0 : 1], 'delivered');
  });
  const states = await Promise.all(named.map(({ state }) => state()));
  assert.deepEqual(new Set(states), new Set(['delivered']));
});

test('a failure lets the code go by the next channel at once', async () => {
  const { ref, phone, newId, remember } = await send('auto');
  const id = newId();
  await remember(id);
  await report(id, 'failed');
  const to = `+${phone}`;
  await until('the fallback', async () => channels.telegram.sentTo(to).length === 1);
  assert.deepEqual(countSends(channels, to), { whatsapp: 1, telegram: 1, sms: 0 });
  const attempts = await service.sql(
    'select number, receipt from attempt where message_id = $1 order by number',
    [ref.messageId],
  );
  assert.deepEqual(attempts, [
    { number: 1, receipt: 'failed' },
    { number: 2, receipt: null },
  ]);
});

test('a receipt without an id is of no message, whatever others are without one', async () => {
  const { state, remember } = await send();
  await remember('');
  assert.deepEqual(await report('', 'failed'), { isMatched: false });
  assert.equal(await state(), 'sent');
});

test('a receipt in another spelling that is stored while the answer is: it is looked up again', async () => {
  const { ref, phone, state } = await send();
  await service.ctx.db.transaction(async (tx) => {
    await rememberIds.run(tx, [{ ref, providerIds: ['smpp:1f0c/L1Q'], phone }]);
    assert.deepEqual(await centreReports('l1q', 'delivered', phone), { isMatched: false });
  });
  await until('the receipt is applied', async () => (await state()) === 'delivered');
});

describe('a centre that gives an id again', () => {
  test('is always believed, and each receipt finds its message by the phone', async () => {
    const [first, second] = [await send(), await send()];
    const id = first.newId();
    assert.equal(await first.take(id), true);
    assert.equal(await second.take(id), true);
    await centreReports(id, 'delivered', second.phone);
    assert.deepEqual(await statesOf(first, second), ['sent', 'delivered']);
    await centreReports(id, 'failed', first.phone);
    assert.deepEqual(await statesOf(first, second), ['failed', 'delivered']);
  });

  test('has given it to the newest message, when the phone is the same or not named', async () => {
    const [first, second, third] = [await send(), await send(), await send()];
    const id = first.newId();
    await first.take(id);
    await second.take(id);
    await centreReports(id, 'delivered');
    assert.deepEqual(await statesOf(first, second), ['sent', 'delivered']);

    const own = third.newId();
    const again = { ...third.ref, attempt: 2 };
    await third.take(own);
    const providerIds = [`smpp:1f0c/${own}`];
    await service.ctx.db.inGroup(rememberIds, { ref: again, providerIds, phone: third.phone });
    const [row] = await service.sql<{ attempt: number; n: number }>(
      `select attempt, count(*) over ()::integer as n from provider_ref where provider_id = '${providerIds[0]}'`,
    );
    assert.deepEqual(row, { attempt: 2, n: 1 });
  });

  test('has given it to the newest message also when both are stored at once', async () => {
    const { ref, phone, newId } = await send();
    const providerIds = [`smpp:1f0c/${newId()}`];
    const attempts = [1, 2].map((attempt) => ({ ref: { ...ref, attempt }, providerIds, phone }));
    assert.deepEqual(await rememberIds.run(service.ctx.db, attempts), [true, true]);
    const rows = await service.sql('select attempt from provider_ref where provider_id = $1', [
      providerIds[0],
    ]);
    assert.deepEqual(rows, [{ attempt: 2 }]);
  });

  test('has given it to the newest message without the receipt of the one before', async () => {
    const { ref, phone, newId, take } = await send();
    const id = newId();
    await take(id);
    await centreReports(id, 'delivered', phone);
    const providerIds = [`smpp:1f0c/${id}`];
    await rememberIds.run(service.ctx.db, [{ ref: { ...ref, attempt: 2 }, providerIds, phone }]);
    const rows = await service.sql(
      'select attempt, receipt from provider_ref where provider_id = $1',
      providerIds,
    );
    assert.deepEqual(rows, [{ attempt: 2, receipt: null }]);
  });

  test('reports for a phone that none of its messages went to, and no message moves', async () => {
    const [ours, other] = [await send(), await send()];
    const id = ours.newId();
    await ours.take(id);
    await centreReports(id, 'failed', other.phone);
    assert.deepEqual(await statesOf(ours, other), ['sent', 'sent']);
    await centreReports(id, 'delivered', ours.phone);
    assert.equal(await ours.state(), 'delivered');
  });

  for (const [name, write] of [
    ['with a plus', (digits: string) => `+${digits}`],
    ['without the country code', (digits: string) => digits.slice(1)],
    ['with 8 in place of it', (digits: string) => `8${digits.slice(1)}`],
    ['with two zeros', (digits: string) => `00${digits}`],
    ['as a short number, which is of the sender', () => '1414'],
    ['as a name, which is of the sender', () => 'Zhiber2030405060'],
  ] as const) {
    test(`may write the phone ${name}`, async () => {
      const ours = await send();
      const id = ours.newId();
      await ours.take(id);
      await centreReports(id, 'delivered', write(ours.phone));
      assert.equal(await ours.state(), 'delivered');
    });
  }

  test('may spell it otherwise in the receipt, where no message has it as it is spelt', async () => {
    for (const [inAnswer, inReceipt] of [
      ['Ab7Qz', 'aB7qZ'],
      ['0012', '12'],
      ['13', '0013'],
      ['00AF', 'af'],
    ] as const) {
      const ours = await send();
      await ours.take(inAnswer);
      await centreReports(inReceipt, 'delivered', ours.phone);
      assert.equal(await ours.state(), 'delivered', `${inAnswer} and ${inReceipt}`);
    }
  });

  test('may give ids that differ in case or zeros alone, each to another message', async () => {
    const sends = await Promise.all(Array.from({ length: 4 }, () => send()));
    const ids = ['Xy7Qz', 'xY7qZ', '0021', '21'];
    for (const [n, one] of sends.entries()) await one.take(ids[n] as string);
    for (const n of [0, 2]) await centreReports(ids[n] as string, 'failed');
    assert.deepEqual(await statesOf(...sends), ['failed', 'sent', 'failed', 'sent']);
    for (const n of [1, 3]) await centreReports(ids[n] as string, 'delivered');
    assert.deepEqual(await statesOf(...sends), ['failed', 'delivered', 'failed', 'delivered']);
  });

  test('may report before its answer, with a phone or without, in any spelling', async () => {
    for (const [inReceipt, inAnswer, hasPhone] of [
      ['e1', 'e1', true],
      ['e2', 'e2', false],
      ['e3', 'E3', true],
      ['4e', '004E', false],
    ] as const) {
      const ours = await send();
      await centreReports(inReceipt, 'delivered', hasPhone ? ours.phone : undefined);
      await ours.take(inAnswer);
      assert.equal(await ours.state(), 'delivered', `${inReceipt} and ${inAnswer}`);
    }
  });

  test('may report before its answer for another phone, which alone gets the receipt', async () => {
    const [ours, other] = [await send(), await send()];
    await centreReports('w1q', 'failed', other.phone);
    await ours.take('W1Q');
    assert.equal(await ours.state(), 'sent');
    await other.take('W1Q');
    assert.deepEqual(await statesOf(ours, other), ['sent', 'failed']);
  });

  test('may report twice before its answer, in two spellings: the best receipt counts', async () => {
    const ours = await send();
    await centreReports('W3Q', 'delivered', ours.phone);
    await centreReports('w3q', 'failed', ours.phone);
    await ours.take('W3Q');
    assert.equal(await ours.state(), 'delivered');
  });

  test('may name no phone: a receipt that waits for another message does not take the next one', async () => {
    const [ours, other] = [await send(), await send()];
    await ours.take('V1Q');
    await centreReports('v1q', 'failed', other.phone);
    await centreReports('v1q', 'delivered');
    assert.deepEqual(await statesOf(ours, other), ['delivered', 'sent']);
  });

  test('may spell an id otherwise and name no phone: the newest message is meant', async () => {
    const [first, second] = [await send(), await send()];
    await first.take('0D1Q');
    await second.take('D1Q');
    await centreReports('d1q', 'delivered');
    assert.deepEqual(await statesOf(first, second), ['sent', 'delivered']);
  });

  test('and a message that took its id again is the newest', async () => {
    const [first, second] = [await send(), await send()];
    const id = first.newId();
    await first.take(id);
    await second.take(id);
    const providerIds = [`smpp:1f0c/${id}`];
    const again = { ref: { ...first.ref, attempt: 2 }, providerIds, phone: first.phone };
    await rememberIds.run(service.ctx.db, [again]);
    await centreReports(id, 'delivered');
    assert.equal(await second.state(), 'sent');
  });

  test('may report early for a new message while an older one has the same id', async () => {
    const [older, newer] = [await send(), await send()];
    const id = older.newId();
    await older.take(id);
    await centreReports(id, 'delivered', newer.phone);
    assert.deepEqual(await statesOf(older, newer), ['sent', 'sent']);
    await newer.take(id);
    assert.deepEqual(await statesOf(older, newer), ['sent', 'delivered']);
  });

  test('and a receipt that has waited for nine minutes: the message gets it', async () => {
    for (const phone of ['with', 'without']) {
      const ours = await send();
      const id = ours.newId();
      await centreReports(id, 'delivered', phone === 'with' ? ours.phone : undefined);
      await service.sql(
        `update provider_ref set created_at = created_at - interval '9 minutes' where provider_id = 'smpp:1f0c/${id}'`,
      );
      await ours.take(id);
      assert.equal(await ours.state(), 'delivered', `${phone} a phone`);
    }
  });

  test('and a receipt that has waited for longer than ten minutes: no later message gets it', async () => {
    for (const phone of ['with', 'without']) {
      const ours = await send();
      const id = ours.newId();
      await centreReports(id, 'failed', phone === 'with' ? ours.phone : undefined);
      await service.sql(
        `update provider_ref set created_at = created_at - interval '601 seconds' where provider_id = 'smpp:1f0c/${id}'`,
      );
      await ours.take(id);
      assert.equal(await ours.state(), 'sent', `${phone} a phone`);
      await centreReports(id, 'delivered', ours.phone);
      assert.equal(await ours.state(), 'delivered');
    }
    const exact = await send();
    const id = exact.newId();
    await report(id, 'failed');
    await service.sql(
      `update provider_ref set created_at = created_at - interval '601 seconds' where provider_id = 'smsc:${id}'`,
    );
    await exact.remember(id);
    assert.equal(await exact.state(), 'sent');
  });

  test('and answers and receipts at the same moment: each message gets its own', async () => {
    const sends = await Promise.all(Array.from({ length: 60 }, () => send()));
    // Thirty ids, each given twice; half of the receipts name no phone and spell the id otherwise.
    const named = sends.map((sent, n) => ({ ...sent, id: `r${n % 30}Q`, isPlain: n < 30 }));
    await runConcurrently(named.length * 2, async (index) => {
      const one = named[index >> 1] as (typeof named)[number];
      if (index % 2 === 0) await one.take(one.isPlain ? one.id : `0${one.id}`);
      else if (one.isPlain) await centreReports(one.id, 'delivered', one.phone);
      else await centreReports(`00${one.id.toLowerCase()}`, 'delivered', one.phone);
    });
    await until('every message is delivered', async () =>
      (await statesOf(...named)).every((state) => state === 'delivered'),
    );
  });

  test('and reports it many times at once, in two spellings', async () => {
    const ours = await send();
    await ours.take('Dup7');
    await Promise.all(
      ['Dup7', 'dup7', 'Dup7', '0dup7'].map((id) => centreReports(id, 'delivered', ours.phone)),
    );
    assert.equal(await ours.state(), 'delivered');
  });

  test('of a part to a newer message: the rest of the parts do not make the older one delivered', async () => {
    const { ref, phone, state, newId, take } = await send();
    const [kept, given] = [newId(), newId()];
    await take(kept, given);
    const providerIds = [`smpp:1f0c/${given}`];
    await rememberIds.run(service.ctx.db, [{ ref: { ...ref, attempt: 2 }, providerIds, phone }]);
    await centreReports(kept, 'delivered', phone);
    assert.equal(await state(), 'sent');
  });

  test('to the parts of a message: it is delivered when all its parts are', async () => {
    const [first, second] = [await send(), await send()];
    const parts = [first.newId(), first.newId()] as const;
    await first.take(...parts);
    await second.take(...parts);
    await centreReports(parts[0], 'delivered', first.phone);
    await centreReports(parts[1], 'delivered', second.phone);
    assert.deepEqual(await statesOf(first, second), ['sent', 'sent']);
    await centreReports(parts[1], 'delivered', first.phone);
    assert.deepEqual(await statesOf(first, second), ['delivered', 'sent']);
  });
});

test('nodes of the release before still store ids and receipts', async () => {
  const ours = await send();
  const id = `smsc:${ours.newId()}`;
  const { companyId, messageId } = ours.ref;
  const [kept] = await service.sql<{ is_ours: boolean }>(
    `select is_ours from remember_provider_ids(array['${id}'], array[${companyId}::bigint],
       array['${messageId}'::uuid], array[1], array[1])`,
  );
  assert.equal(kept?.is_ours, true);
  const [recorded] = await service.sql<{ message_id: string }>(
    `select message_id from record_provider_receipts(array['${id}'], array['delivered'::receipt], array[null::text])`,
  );
  assert.equal(recorded?.message_id, messageId);
  assert.equal(await ours.state(), 'delivered');
});
