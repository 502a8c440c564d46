/**
 * Short loads that expose a planted fault and cause no violation without one: concurrent sends,
 * lost answers, early receipts, crashes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { runConcurrently } from '../harness.ts';
import type { Settings } from '../start/serve-harness.ts';
import {
  findShownCode,
  newPhone,
  randomWrongCode,
  requestUntilAnswered,
  sendRequest,
} from './clients.ts';
import type { Plan } from './provider-simulator.ts';
import type { Rig } from './rig.ts';
import type { RigKey } from './run-records.ts';

export type LoadName = keyof typeof LOADS;
type Load = {
  /** Environment variables for the server. */
  settings?: Settings;
  run(rig: Rig, key: RigKey): Promise<void>;
};

const FALLBACK_SECONDS = 16;
const MINUTE = SEND_INTERVAL_SECONDS + 1;

async function sendTo(rig: Rig, key: RigKey, plan: Plan, channel = 'auto'): Promise<string> {
  const phone = newPhone();
  rig.provider.plan(phone, plan);
  await sendRequest(rig, 'send_code', { key, body: { phone, channel } });
  return phone;
}

const onEveryChannel = (does: 'refuse' | 'drop'): Plan => ({
  whatsapp: { does },
  telegram: { does },
  sms: { does },
});

/** For a server with a crash point: it crashes under load and is restarted. */
async function crashThenRestart(rig: Rig, key: RigKey, point: string): Promise<void> {
  await runConcurrently(5, () => sendTo(rig, key, {}));
  await rig.waitForCrash(point);
  rig.start();
  await rig.waitUntilHealthy();
}

export const LOADS = {
  'plain sends': {
    run: async (rig, key) => void (await runConcurrently(10, () => sendTo(rig, key, {}))),
  },
  'lost answers of settle': {
    settings: { LOSE_ANSWERS_OF: 'settle' },
    run: async (rig, key) => void (await runConcurrently(10, () => sendTo(rig, key, {}))),
  },
  'a shutdown with an open refusal': {
    settings: { LOSE_ALL_ANSWERS_OF: 'settle', DENIED_STATEMENT: 'refuse-sends' },
    async run(rig, key) {
      await runConcurrently(5, () => sendTo(rig, key, {}));
      await rig.restart();
    },
  },
  'channels that lose the message': {
    run: async (rig, key) =>
      void (await runConcurrently(5, () => sendTo(rig, key, onEveryChannel('drop')))),
  },
  'channels that refuse': {
    run: async (rig, key) =>
      void (await runConcurrently(5, () => sendTo(rig, key, onEveryChannel('refuse')))),
  },
  'lost answers of channels': {
    run: async (rig, key) =>
      void (await runConcurrently(5, () => sendTo(rig, key, { whatsapp: { does: 'reset' } }))),
  },
  'concurrent sends to a few phones': {
    async run(rig, key) {
      const phones = Array.from({ length: 5 }, newPhone);
      await runConcurrently(50, (index) => {
        const phone = String(phones[Math.floor(index / 10)]);
        return sendRequest(rig, 'send_code', { key, body: { phone } });
      });
    },
  },
  'a crash after the call': {
    settings: { CRASH_AT: 'call: after' },
    run: (rig, key) => crashThenRestart(rig, key, 'call: after'),
  },
  'a crash before settle': {
    settings: { CRASH_AT: 'settle: before' },
    run: (rig, key) => crashThenRestart(rig, key, 'settle: before'),
  },
  'the right code many times at once': {
    async run(rig, key) {
      const phone = await sendTo(rig, key, {});
      const code = String(await findShownCode(rig, phone));
      await runConcurrently(20, () => sendRequest(rig, 'verify', { key, body: { phone, code } }));
    },
  },
  'parallel guesses': {
    async run(rig, key) {
      // On a busy machine a statement may outlast its limit; then they are refused, not counted.
      for (let tries = 0; tries < 5; tries++) {
        const guesses = await guessTogether(rig, key, 60);
        if (guesses.every(({ errorCode }) => errorCode !== 'service_unavailable')) return;
      }
    },
  },
  'guesses over several codes': {
    async run(rig, key) {
      const phone = newPhone();
      for (let codes = 0; codes < 3; codes++) {
        await sendRequest(rig, 'send_code', { key, body: { phone } });
        await guess(rig, key, phone, 6);
        await rig.passTime(MINUTE);
      }
    },
  },
  'receipts before answers': {
    async run(rig, key) {
      // The provider answers no status query, so the early receipt is the only evidence.
      const early: Plan = { whatsapp: { does: 'accept', receipts: ['delivered'], isEarly: true } };
      const phones = await runConcurrently(5, () => sendTo(rig, key, early));
      rig.provider.forgetReceipts();
      await rig.passTime(FALLBACK_SECONDS);
      await waitForCalls(rig, phones);
    },
  },
  'a channel disabled after the send': {
    async run(rig, key) {
      const phone = await sendTo(rig, key, { whatsapp: { does: 'accept' } });
      await rig.changeChannels(key, ['whatsapp', 'sms']);
      // Longer than a node caches the settings of a key.
      await pause(1_000);
      await rig.passTime(FALLBACK_SECONDS);
      await waitForCalls(rig, [phone]);
      await rig.changeChannels(key, CHANNELS);
    },
  },
  'a repeated request': {
    async run(rig, key) {
      const body = { phone: newPhone(), url: 'https://example.com/', channel: 'whatsapp' };
      const idempotencyKey = randomUUID();
      for (let times = 0; times < 3; times++) {
        await requestUntilAnswered(rig, 'send_link', { key, body, idempotencyKey });
      }
    },
  },
} as const satisfies Record<string, Load>;

async function guess(rig: Rig, key: RigKey, phone: string, count: number): Promise<void> {
  const code = randomWrongCode(String(await findShownCode(rig, phone)));
  await runConcurrently(count, () => sendRequest(rig, 'verify', { key, body: { phone, code } }));
}

const WATCH_ROUNDS_MS = 1_500;

/** Waits until every phone got a second message, or a few rounds of the watch are over. */
async function waitForCalls(rig: Rig, phones: readonly string[]): Promise<void> {
  const deadline = Date.now() + WATCH_ROUNDS_MS;
  const gotSecondMessage = (phone: string) =>
    rig.provider.phones.entries.filter((shown) => `+${shown.phone}` === phone).length > 1;
  while (!phones.every(gotSecondMessage) && Date.now() < deadline) await pause(20);
}

/** Guesses one code wrongly at once: the first waits for the row lock, and the others behind it. */
async function guessTogether(rig: Rig, key: RigKey, count: number) {
  const phone = await sendTo(rig, key, {});
  const code = randomWrongCode(String(await findShownCode(rig, phone)));
  const guess = () => sendRequest(rig, 'verify', { key, body: { phone, code } });
  const guesses = await rig.withCodesLocked(async (waitForWaiter) => {
    const first = guess();
    await waitForWaiter();
    const others = Array.from({ length: count - 1 }, guess);
    // What the server answers later it has read later, so it has the guesses.
    for (let answers = 0; answers < 5; answers++) await rig.waitUntilHealthy();
    return [first, ...others];
  });
  return await Promise.all(guesses);
}
