/**
 * A thousand messages over one bind, whose connection is dropped three times. What the provider
 * said of each is compared with what the message centre wrote down. The same through the whole
 * service is in faults/thousand-codes.test.ts; here some are refused, and some travel in two parts, so that
 * a drop can come between them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Outcome } from '../../src/channels/channel.ts';
import type { Phone } from '../../src/phone.ts';
import { soon, until } from './rig/messages.ts';
import { message, type Rig, startRig } from './smpp-rig.ts';

const MESSAGES = 1_000;
const SENDERS = 40;
const WINDOW = 10;
const RESPONSE_MS = 8;
const DROPS_AT = [250, 500, 750];
const REFUSED_PHONE = '77770000000';

type Sent = { text: string; outcome: Outcome };

test('smpp: a thousand messages, three drops: each has one outcome, and what was taken was taken once', async (t) => {
  const rig = await startRig(t, { centre: { window: WINDOW }, settings: { window: WINDOW } });
  const { centre, reports } = rig;
  centre.plans.add({ does: 'accept', delayMs: RESPONSE_MS });
  centre.plans.add({ to: REFUSED_PHONE, does: 'refuse', code: 0x0b, delayMs: RESPONSE_MS });

  const sent = await sendAll(rig);
  await centre.settle();

  const by = (result: Outcome['result']) => sent.filter(({ outcome }) => outcome.result === result);
  const accepted = by('accepted').map(({ outcome }) => outcome as Accepted);
  const acceptedIds = accepted.flatMap(({ providerId, partIds }) => partIds ?? [providerId]);
  const figures = centre.figures();
  const taken = centre.journal.taken().map(({ text }) => text);
  const takenOnce = new Set(taken);
  const takenUnknown = by('unknown').filter(({ text }) => takenOnce.has(text));
  t.diagnostic(
    `${sent.length} messages: ${accepted.length} accepted in ${acceptedIds.length} parts, ` +
      `${by('refused').length} refused, ${by('unavailable').length} unavailable, ` +
      `${by('unknown').length} unknown (${takenUnknown.length} of them taken); the centre took ${taken.length}, ` +
      `window at most ${figures.windowPeak}, ${figures.binds} binds, ${reports.length} receipts`,
  );

  assert.equal(sent.length, MESSAGES);
  assert.equal(figures.binds, 1 + DROPS_AT.length);
  assert.deepEqual([figures.windowPeak, figures.windowBreaches], [WINDOW, 0]);

  assert.equal(takenOnce.size, taken.length, 'a message was taken twice');
  const parts = centre.journal.lines.flatMap((line) => (line.event === 'part' ? [line] : []));
  const partTexts = new Set(parts.map(({ text }) => text));
  assert.equal(partTexts.size, parts.length, 'a part was taken twice');
  for (const { text, outcome } of sent) {
    if (outcome.result === 'accepted') assert.ok(takenOnce.has(text), 'accepted, and not taken');
    if (outcome.result === 'refused' || outcome.result === 'unavailable') {
      assert.ok(!takenOnce.has(text), `${outcome.result}, and taken`);
    }
  }

  assert.equal(new Set(acceptedIds).size, acceptedIds.length);
  const reported = new Set(reports.map((report) => 'providerId' in report && report.providerId));
  for (const id of acceptedIds) assert.ok(reported.has(id), `no receipt of ${id}`);
  assert.ok(reports.every(({ receipt }) => receipt === 'delivered'));
  assert.ok(accepted.length > MESSAGES / 2);
  assert.ok(by('refused').length > 0 && takenUnknown.length > 0, 'the drops proved nothing');
});

type Accepted = Extract<Outcome, { result: 'accepted' }>;

async function sendAll({ centre, provider }: Rig): Promise<Sent[]> {
  const sent: Sent[] = [];
  const drops = [...DROPS_AT];
  let next = 0;
  const sendSome = async () => {
    while (next < MESSAGES) {
      const number = next++;
      const isToRefuse = number % 50 === 7;
      const text = textOf(number);
      const to = { phone: (isToRefuse ? REFUSED_PHONE : `7701${number + 1_000_000}`) as Phone };
      const outcome = await provider.send(message(text, { to }), soon());
      sent.push({ text, outcome });
      if (sent.length >= (drops[0] ?? Number.POSITIVE_INFINITY)) {
        drops.shift();
        // Some have been taken by then, and not been answered.
        await pause(RESPONSE_MS / 2);
        centre.dropConnections();
        const binds = 1 + DROPS_AT.length - drops.length;
        await until(() => centre.figures().binds === binds);
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendSome));
  return sent;
}

/** Plain and Cyrillic, and every fifth of two parts, each part with the number in it. */
function textOf(number: number): string {
  const isLong = number % 5 === 0;
  const word = number % 2 === 0 ? `code ${number} ` : `код ${number} `;
  return isLong ? word.repeat(number % 2 === 0 ? 18 : 11) : word;
}
