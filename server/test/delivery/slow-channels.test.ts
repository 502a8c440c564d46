import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { MessageId } from '../../src/ids.ts';
import { findTimeline } from '../../src/messages/timeline.ts';
import { type ApiAnswer, type TestKey, useService } from '../harness.ts';
import {
  accepts,
  countSends,
  hangs,
  refuses,
  type Script,
  scriptedChannels,
} from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

type Case = { key: TestKey; phone: string; sent: ApiAnswer; seconds: number };

/** Answers after the attempt has timed out. */
const late =
  (then: Script): Script =>
  async (message, signal) => {
    await pause(4_300);
    return await then(message, signal);
  };
const rejectsLate: Script = late(() => Promise.reject(new Error('too late to matter')));

async function send(
  scripts: Partial<Record<'whatsapp' | 'telegram' | 'sms', Script>>,
  channel: string,
): Promise<Case> {
  const key = await service.key();
  const phone = service.phone();
  for (const [name, script] of Object.entries(scripts)) {
    channels[name as 'sms'].onSend(phone, script);
  }
  const startedAt = performance.now();
  const sent = await service.call('/otp/send', { phone, channel }, key);
  return { key, phone, sent, seconds: (performance.now() - startedAt) / 1000 };
}

// The timeouts of the contract are long, so the first test starts all cases at the same time.
let cases: ReturnType<typeof startAll> | undefined;
/** Aborted attempts, as `case attempt`, with `too late` for those that missed their limit. */
const aborts: string[] = [];
/** Hangs until it is aborted, and records whether the abort came within the limit. */
const hangsFor =
  (name: string, seconds: number): Script =>
  (message, signal) => {
    const { attempt } = message.ref;
    const late = setTimeout(() => aborts.push(`${name} ${attempt} too late`), seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(late);
      aborts.push(`${name} ${attempt}`);
    });
    return hangs(message, signal);
  };
function startAll() {
  const all = {
    first: send({ whatsapp: hangsFor('first', 5) }, 'auto'),
    every: send(
      {
        whatsapp: hangsFor('every', 5),
        telegram: hangsFor('every', 5),
        // The limit is ten seconds in all, and the others take four each.
        sms: hangsFor('every', 3),
      },
      'auto',
    ),
    explicit: send({ telegram: hangsFor('explicit', 5) }, 'telegram'),
    mixed: send({ whatsapp: hangs, telegram: refuses, sms: refuses }, 'auto'),
    lateAcceptance: send({ whatsapp: late(accepts), telegram: slowly }, 'auto'),
    lateRejection: send({ whatsapp: rejectsLate, telegram: slowly }, 'auto'),
  };
  // Each test ends with a check that nothing is held, so all sends must be over.
  return Promise.all(Object.values(all)).then(() => all);
}
const slowly: Script = async (message, signal) => {
  await pause(800);
  return await accepts(message, signal);
};
async function readCase(name: keyof Awaited<ReturnType<typeof startAll>>): Promise<Case> {
  cases ??= startAll();
  return await (await cases)[name];
}

const abortsOf = (name: string) => aborts.filter((line) => line.startsWith(name));

async function stepsOf({ key, sent }: Case): Promise<string[]> {
  const id = sent.body.message_id as MessageId;
  const timeline = await findTimeline(service.ctx.db, key.companyId, id);
  return (timeline?.steps ?? []).map(({ step, channel }) => `${channel} ${step}`);
}

test('a channel that hangs is unknown after 4 seconds, and the next one is tried', async () => {
  const { sent, seconds, key, phone, ...rest } = await readCase('first');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
  assert(seconds >= 3.9, `${seconds} s`);
  assert.deepEqual(abortsOf('first'), ['first 1']);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert((await stepsOf({ sent, seconds, key, phone, ...rest })).includes('whatsapp unknown'));
  assert.equal((await service.balance(key.companyId)).balance, 47);
});

test('when every channel hangs the answer is 504 after 10 seconds, and nothing is charged', async () => {
  const { sent, seconds, key, phone } = await readCase('every');
  assert.equal(sent.status, 504);
  assert(seconds >= 9.9, `${seconds} s`);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
  assert.deepEqual(abortsOf('every'), ['every 1', 'every 2', 'every 3'], 'each is aborted');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  const code = channels.sms.sentTo(phone)[0]?.code;
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
});

test('an explicit channel that hangs is 504 after 4 seconds, with no fallback', async () => {
  const { sent, seconds, key, phone } = await readCase('explicit');
  assert.equal(sent.status, 504);
  assert(seconds >= 3.9, `${seconds} s`);
  assert.deepEqual(abortsOf('explicit'), ['explicit 1']);
  assert.deepEqual(countSends(channels, phone), { whatsapp: 0, telegram: 1, sms: 0 });
  assert.equal((await service.balance(key.companyId)).balance, 50);
  const soon = await service.call('/otp/send', { phone }, key);
  assert.equal(soon.body.error_code, 'send_rate_limited');
});

test('one hanging channel among refusals makes the whole send unknown', async () => {
  const { sent, key } = await readCase('mixed');
  assert.equal(sent.status, 504);
  assert.equal((await service.balance(key.companyId)).balance, 50);
});

test('an acceptance after the timeout changes nothing: only the channel that answered in time is charged', async () => {
  const { sent, key, phone } = await readCase('lateAcceptance');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
  assert.deepEqual(countSends(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('an adapter that rejects after its timeout has no effect', async () => {
  const { sent } = await readCase('lateRejection');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
});

test('a longer database timeout gives a send more time to be settled', async () => {
  const key = await service.key();
  const phone = service.phone();
  let holding: Promise<void> | undefined;
  channels.whatsapp.onSend(phone, async (message, signal) => {
    const locked = Promise.withResolvers<void>();
    holding = service.ctx.db.transaction(async (tx) => {
      await tx.query('select from account where company_id = $1 for update', [key.companyId]);
      locked.resolve();
      // Longer than the default limit for settling, and shorter than the limit of the tests.
      await pause(2_500);
    });
    await locked.promise;
    return await accepts(message, signal);
  });
  const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
  await holding;
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
});
