import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readTimeline } from '../../src/history/timeline.ts';
import type { MessageId } from '../../src/ids.ts';
import { type Answered, type TestKey, useService } from '../harness.ts';
import {
  accepts,
  countsFor,
  hangs,
  refuses,
  type Script,
  scriptedChannels,
} from './scripted-channel.ts';

const channels = scriptedChannels();
const service = useService({ providers: channels });

type Case = { key: TestKey; phone: string; sent: Answered; seconds: number };

/** Answers after its time is up, as if nothing had happened. */
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

// The time-outs are those of the contract, so all cases wait at the same time, from the first test.
let cases: ReturnType<typeof startAll> | undefined;
/** What was told to give up, by the case and the attempt; and what should have been told before. */
const told: string[] = [];
/** Hangs, and has to be told to give up before so much time is over: by the same timers as ours. */
const hangsFor =
  (name: string, seconds: number): Script =>
  (message, signal) => {
    const { attempt } = message.ref;
    const late = setTimeout(() => told.push(`${name} ${attempt} too late`), seconds * 1_000);
    signal.addEventListener('abort', () => {
      clearTimeout(late);
      told.push(`${name} ${attempt}`);
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
        // Ten seconds in all, of which the others have had four each.
        sms: hangsFor('every', 3),
      },
      'auto',
    ),
    explicit: send({ telegram: hangsFor('explicit', 5) }, 'telegram'),
    mixed: send({ whatsapp: hangs, telegram: refuses, sms: refuses }, 'auto'),
    lateAcceptance: send({ whatsapp: late(accepts), telegram: slowly }, 'auto'),
    lateRejection: send({ whatsapp: rejectsLate, telegram: slowly }, 'auto'),
  };
  // The money is checked after each test: nothing may be under way by then.
  return Promise.all(Object.values(all)).then(() => all);
}
const slowly: Script = async (message, signal) => {
  await pause(800);
  return await accepts(message, signal);
};
async function caseOf(name: keyof Awaited<ReturnType<typeof startAll>>): Promise<Case> {
  cases ??= startAll();
  return await (await cases)[name];
}

const toldOf = (name: string) => told.filter((line) => line.startsWith(name));

async function stepsOf({ key, sent }: Case): Promise<string[]> {
  const id = sent.body.message_id as MessageId;
  const timeline = await readTimeline(service.ctx.db, key.companyId, id);
  return (timeline?.steps ?? []).map(({ step, channel }) => `${channel} ${step}`);
}

test('a channel that hangs is unknown after 4 seconds, and the next one is asked', async () => {
  const { sent, seconds, key, phone, ...rest } = await caseOf('first');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
  assert(seconds >= 3.9, `${seconds} s`);
  assert.deepEqual(toldOf('first'), ['first 1']);
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert((await stepsOf({ sent, seconds, key, phone, ...rest })).includes('whatsapp unknown'));
  assert.equal((await service.balance(key.companyId)).balance, 47);
});

test('when every channel hangs the answer comes after 10 seconds: 504, and nothing is charged', async () => {
  const { sent, seconds, key, phone } = await caseOf('every');
  assert.equal(sent.status, 504);
  assert(seconds >= 9.9, `${seconds} s`);
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 1, sms: 1 });
  assert.deepEqual(toldOf('every'), ['every 1', 'every 2', 'every 3'], 'each is told to give up');
  assert.deepEqual(await service.balance(key.companyId), { balance: 50, held: 0 });
  const code = channels.sms.sentTo(phone)[0]?.code;
  assert.equal((await service.call('/otp/verify', { phone, code }, key)).status, 200);
});

test('an explicit channel that hangs is 504 after 4 seconds, with no fallback', async () => {
  const { sent, seconds, key, phone } = await caseOf('explicit');
  assert.equal(sent.status, 504);
  assert(seconds >= 3.9, `${seconds} s`);
  assert.deepEqual(toldOf('explicit'), ['explicit 1']);
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 0, telegram: 1, sms: 0 });
  assert.equal((await service.balance(key.companyId)).balance, 50);
  const soon = await service.call('/otp/send', { phone }, key);
  assert.equal(soon.body.error_code, 'send_rate_limited');
});

test('one that hangs among refusals makes the whole send unknown', async () => {
  const { sent, key } = await caseOf('mixed');
  assert.equal(sent.status, 504);
  assert.equal((await service.balance(key.companyId)).balance, 50);
});

test('an acceptance after the time-out changes nothing: one charge, by the channel that answered', async () => {
  const { sent, key, phone } = await caseOf('lateAcceptance');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
  assert.deepEqual(countsFor(channels, phone), { whatsapp: 1, telegram: 1, sms: 0 });
  assert.deepEqual(await service.balance(key.companyId), { balance: 47, held: 0 });
});

test('an adapter that rejects after its time-out disturbs nobody', async () => {
  const { sent } = await caseOf('lateRejection');
  assert.equal(sent.status, 200);
  assert.equal(sent.body.channel, 'telegram');
});

test('where the database may take longer, what has left may take longer to be written down', async () => {
  const key = await service.key();
  const phone = service.phone();
  let holding: Promise<void> | undefined;
  channels.whatsapp.onSend(phone, async (message, signal) => {
    const locked = Promise.withResolvers<void>();
    holding = service.ctx.db.transaction(async (tx) => {
      await tx.query('select from account where company_id = $1 for update', [key.companyId]);
      locked.resolve();
      // Longer than a send is settled for by default, and shorter than with the time of these tests.
      await pause(2_500);
    });
    await locked.promise;
    return await accepts(message, signal);
  });
  const sent = await service.call('/otp/send', { phone, channel: 'whatsapp' }, key);
  await holding;
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
});
