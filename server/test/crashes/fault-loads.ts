/**
 * Short loads that bring a fault to light if there is one, and are nothing out of the ordinary if
 * there is none: crowds, lost answers, early receipts, crashes.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import { SEND_INTERVAL_SECONDS } from '@zhiber/contract/api/limits.ts';
import { together } from '../harness.ts';
import type { Settings } from '../start/serve-harness.ts';
import type { Plan } from './operator.ts';
import { act, actSurely, codeOn, newPhone, otherThan } from './people.ts';
import type { Rig, RigKey } from './rig.ts';

export type LoadName = keyof typeof LOADS;
type Load = {
  /** What the server is started with. */
  settings?: Settings;
  run(rig: Rig, key: RigKey): Promise<void>;
};

const FALLBACK_SECONDS = 16;
const GATHER_MS = 500;
const MINUTE = SEND_INTERVAL_SECONDS + 1;

async function sendTo(rig: Rig, key: RigKey, plan: Plan, channel = 'auto'): Promise<string> {
  const phone = newPhone();
  rig.operator.plan(phone, plan);
  await act(rig, 'send_code', { key, body: { phone, channel } });
  return phone;
}

const everywhere = (does: 'refuse' | 'drop'): Plan => ({
  whatsapp: { does },
  telegram: { does },
  sms: { does },
});

/** Started with a crash point: what happened is settled after the restart. */
async function crashThenRestart(rig: Rig, key: RigKey, point: string): Promise<void> {
  await together(5, () => sendTo(rig, key, {}));
  await rig.crashed(point);
  rig.start();
  await rig.healthy();
}

export const LOADS = {
  'plain sends': {
    run: async (rig, key) => void (await together(10, () => sendTo(rig, key, {}))),
  },
  'lost answers of settle': {
    settings: { LOSE_ANSWERS_OF: 'settle' },
    run: async (rig, key) => void (await together(10, () => sendTo(rig, key, {}))),
  },
  'a stop before a refusal is carried out': {
    settings: { LOSE_ALL_ANSWERS_OF: 'settle', DENIED_STATEMENT: 'refuse-sends' },
    async run(rig, key) {
      await together(5, () => sendTo(rig, key, {}));
      await rig.restart();
    },
  },
  'channels that lose the message': {
    run: async (rig, key) => void (await together(5, () => sendTo(rig, key, everywhere('drop')))),
  },
  'channels that refuse': {
    run: async (rig, key) => void (await together(5, () => sendTo(rig, key, everywhere('refuse')))),
  },
  'answers of channels lost': {
    run: async (rig, key) =>
      void (await together(5, () => sendTo(rig, key, { whatsapp: { does: 'reset' } }))),
  },
  'crowds on one phone each': {
    async run(rig, key) {
      const phones = Array.from({ length: 5 }, newPhone);
      await together(50, (index) => {
        const phone = String(phones[Math.floor(index / 10)]);
        return act(rig, 'send_code', { key, body: { phone } });
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
  'a right code twice': {
    async run(rig, key) {
      const phone = await sendTo(rig, key, {});
      const code = String(await codeOn(rig, phone));
      await together(20, () => act(rig, 'verify', { key, body: { phone, code } }));
    },
  },
  'parallel guesses': {
    async run(rig, key) {
      const phone = await sendTo(rig, key, {});
      const code = otherThan(String(await codeOn(rig, phone)));
      const guess = () => act(rig, 'verify', { key, body: { phone, code } });
      // One waits for the row, and meanwhile the others gather behind it.
      const guesses = await rig.holdingCodes(async (untilAwaited) => {
        const first = guess();
        await untilAwaited();
        const others = Array.from({ length: 59 }, guess);
        await pause(GATHER_MS);
        return [first, ...others];
      });
      await Promise.all(guesses);
    },
  },
  'guesses at code after code': {
    async run(rig, key) {
      const phone = newPhone();
      for (let codes = 0; codes < 3; codes++) {
        await act(rig, 'send_code', { key, body: { phone } });
        await guess(rig, key, phone, 6);
        await rig.passTime(MINUTE);
      }
    },
  },
  'receipts before answers': {
    async run(rig, key) {
      // The channel says nothing more when it is asked, so the receipt is all there is.
      const early: Plan = { whatsapp: { does: 'accept', receipts: ['delivered'], isEarly: true } };
      const phones = await together(5, () => sendTo(rig, key, early));
      rig.operator.forget();
      await rig.passTime(FALLBACK_SECONDS);
      await waitForCalls(rig, phones);
    },
  },
  'a channel switched off': {
    async run(rig, key) {
      const phone = await sendTo(rig, key, { whatsapp: { does: 'accept' } });
      await rig.changeChannels(key, ['whatsapp', 'sms']);
      // Until no node has the old settings in its memory.
      await pause(1_000);
      await rig.passTime(FALLBACK_SECONDS);
      await waitForCalls(rig, [phone]);
      await rig.changeChannels(key, CHANNELS);
    },
  },
  'a request repeated': {
    async run(rig, key) {
      const body = { phone: newPhone(), url: 'https://example.com/', channel: 'whatsapp' };
      const idempotencyKey = randomUUID();
      for (let times = 0; times < 3; times++) {
        await actSurely(rig, 'send_link', { key, body, idempotencyKey });
      }
    },
  },
} as const satisfies Record<string, Load>;

async function guess(rig: Rig, key: RigKey, phone: string, count: number): Promise<void> {
  const code = otherThan(String(await codeOn(rig, phone)));
  await together(count, () => act(rig, 'verify', { key, body: { phone, code } }));
}

const WATCH_ROUNDS_MS = 1_500;

/** Gives the watch its rounds, or ends as soon as every phone has been sent to again. */
async function waitForCalls(rig: Rig, phones: readonly string[]): Promise<void> {
  const deadline = Date.now() + WATCH_ROUNDS_MS;
  const isCalledAgain = (phone: string) =>
    rig.operator.phones.entries.filter((shown) => `+${shown.phone}` === phone).length > 1;
  while (!phones.every(isCalledAgain) && Date.now() < deadline) await pause(20);
}
