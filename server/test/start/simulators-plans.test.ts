/** Every plan of the simulators' control API, as the caller of the provider sees it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openProviders } from '../../src/channels/open-providers.ts';
import type { ProviderReport } from '../../src/channels/provider.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { type CompanyId, type MessageId, newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import type { Phone } from '../../src/phone.ts';
import { centreId } from '../providers/smpp-rig.ts';
import { waitUntil } from './serve-harness.ts';
import {
  createSimulators,
  type Printed,
  postControl,
  readJournalLines,
  type Simulated,
  sendSms,
  startListener,
} from './simulators-harness.ts';

const home = createSimulators();
let service: Awaited<ReturnType<typeof startListener>>;
let simulated: Simulated;
let phones = 0;

before(async () => {
  service = await startListener();
  const only = ['--only', 'smsc,smpp'];
  simulated = await home.simulate('--port', '0', '--service', service.url, ...only);
});
after(async () => {
  service.close();
  await home.remove();
});

const newPhone = () => `7705${String(++phones).padStart(7, '0')}`;
const at = (name: string): Printed => simulated.at(name);
const perform = (act: string, given?: object) => postControl(at('smpp'), `acts/${act}`, given);

const BEGINNING = 60;

/** Reads only the beginning, because some bodies are endless. */
async function readBeginning(response: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes.subarray(0, 1_000));
    if (text.length >= BEGINNING) break;
  }
  return text.slice(0, BEGINNING);
}

describe('plans', () => {
  /** Sends under a plan; returns how the call ended and whether the message was taken. */
  async function sendWithPlan(plan: object, limitMs: number) {
    const to = newPhone();
    const added = await postControl(at('smsc'), 'plans', { to: `+${to}`, receipts: [], ...plan });
    assert.deepEqual(added, { status: 200, body: { ok: true } });
    const ending = await sendSms(at('smsc'), to, limitMs)
      .then(async (response) => `${response.status} ${await readBeginning(response)}`)
      .catch((error: Error) => (error.name === 'TimeoutError' ? 'nothing' : 'broken'));
    const taken = (await readJournalLines(at('smsc'))).filter((line) => line.event === 'taken');
    return { ending, isTaken: taken.some((line) => line.to === to) };
  }

  const NOTHING = /^nothing$/;
  const ENDINGS: [plan: object, ending: RegExp, isTaken: boolean][] = [
    [{ does: 'accept' }, /^200 \{"id":\d+,"cnt":1\}/, true],
    [{ does: 'accept', delayMs: 300 }, /^200 \{"id"/, true],
    [{ does: 'refuse', code: 7 }, /^200 .*"error_code":7/, false],
    [{ does: 'hang' }, NOTHING, true],
    [{ does: 'hang', isTaken: false }, NOTHING, false],
    [{ does: 'reset_before' }, /^broken$/, false],
    [{ does: 'reset_during' }, /^broken$/, true],
    [{ does: 'reset_after' }, /^200 \{"id"|^broken$/, true],
    [{ does: 'drip' }, NOTHING, true],
    [{ does: 'fail', code: 503, retryAfter: 7 }, /^503 upstream trouble/, false],
    [{ does: 'fail', isTaken: true }, /^500 upstream trouble/, true],
    [{ does: 'malformed', form: 'html' }, /^200 <html>/, true],
    [{ does: 'malformed', form: 'half_json' }, /^200 \{"id":\d*$/, true],
    [{ does: 'malformed', form: 'empty' }, /^200 $/, true],
    [{ does: 'malformed', form: 'no_content' }, /^204 $/, true],
    [{ does: 'malformed', form: 'no_id' }, /^200 \{\}$/, true],
    [{ does: 'malformed', form: 'wrong_type' }, /^200 \[/, true],
    [{ does: 'malformed', form: 'endless' }, /^200 x{60}$/, true],
    [{ does: 'malformed', form: 'packed' }, /^200 \0{60}$/, true],
  ];
  for (const [plan, ending, isTaken] of ENDINGS) {
    test(`${JSON.stringify(plan)}`, async () => {
      const found = await sendWithPlan(plan, ending === NOTHING ? 1_000 : 15_000);
      assert.match(found.ending, ending);
      assert.equal(found.isTaken, isTaken);
    });
  }

  /** Sends under a plan; returns the receipts that the service gets, and their delay. */
  async function collectReceipts(plan: object, count: number) {
    const to = newPhone();
    await postControl(at('smsc'), 'plans', { to, does: 'accept', ...plan });
    const received = () => service.calls.filter(({ body }) => body.includes(`phone=${to}`));
    await sendSms(at('smsc'), to);
    const early = received().length;
    const answeredAt = Date.now();
    await waitUntil(() => received().length >= count);
    const lateMs = Date.now() - answeredAt;
    await pause(100);
    const forms = received().map(({ body }) => new URLSearchParams(body));
    const areGenuine = forms.map((form) => {
      const incoming = ['id', 'phone', 'status'].map((name) => form.get(name));
      const signed = [...incoming, 'simulated-smsc-secret'].join(':');
      return form.get('sha1') === createHash('sha1').update(signed).digest('hex');
    });
    return { statuses: forms.map((form) => form.get('status')), areGenuine, early, lateMs };
  }

  test('receipts: default and failed', async () => {
    const { statuses, areGenuine } = await collectReceipts({}, 2);
    assert.deepEqual(
      [statuses, areGenuine],
      [
        ['1', '2'],
        [true, true],
      ],
    );
    const failed = { receipts: ['failed'], failure: 22 };
    assert.deepEqual((await collectReceipts(failed, 1)).statuses, ['22']);
  });

  test('receipts: repeated, reversed, early, late and forged', async () => {
    assert.deepEqual((await collectReceipts({ copies: 2 }, 4)).statuses, ['1', '1', '2', '2']);
    assert.deepEqual((await collectReceipts({ isReversed: true }, 2)).statuses, ['2', '1']);
    assert.ok((await collectReceipts({ isEarly: true }, 2)).early > 0);
    // The delay counts from before the answer is sent, so less than 1000 ms is observed.
    const late = { receipts: ['delivered'], receiptDelayMs: 1_000 };
    assert.ok((await collectReceipts(late, 1)).lateMs > 500);
    assert.deepEqual((await collectReceipts({ isForged: true }, 2)).areGenuine, [false, false]);
  });

  test('a receipt can be triggered for one message', async () => {
    await postControl(at('smsc'), 'plans', { does: 'accept', receipts: [], times: 1 });
    const sent = await sendSms(at('smsc'), newPhone());
    const { id } = (await sent.json()) as { id: number };
    const report = { id, receipt: 'delivered', copies: 2 };
    const { body } = await postControl(at('smsc'), 'receipts', report);
    assert.deepEqual(body, { ok: true, statuses: [200, 200] });
  });

  test('DELETE removes all plans', async () => {
    const to = newPhone();
    await postControl(at('smsc'), 'plans', { to, does: 'fail' });
    const { ok } = await fetch(`${at('smsc').control}/_simulator/plans`, { method: 'DELETE' });
    assert.ok(ok);
    assert.equal((await sendSms(at('smsc'), to)).status, 200);
  });
});

describe('the control port of SMPP', () => {
  async function connect(reports: ProviderReport[]) {
    const { hostname: SMPP_HOST, port: SMPP_PORT } = new URL(at('smpp').url);
    const link = { SMPP_HOST, SMPP_PORT, SMPP_SENDER: 'Zhiber' };
    const login = { SMPP_SYSTEM_ID: 'zhiber', SMPP_PASSWORD: 'sim-pass' };
    const [provider] = openProviders(readConfig({ ...link, ...login }).providers, {
      clock: systemClock,
      log: createLog('silent', { sync: true }),
      callbackUrl: () => service.url,
      findTelegramChat: async () => undefined,
      onContact: () => undefined,
      isWhatsappWindowOpen: async () => false,
    });
    assert.ok(provider);
    provider.start?.(async (report) => {
      reports.push(report);
      return { isMatched: true };
    });
    const send = (to: string) =>
      provider.send(
        {
          ref: { companyId: 1 as CompanyId, messageId: newId(Date.now()) as MessageId, attempt: 1 },
          keyId: 1,
          isTest: false,
          to: { phone: to as Phone },
          content: 'code',
          text: 'Код 1234',
          language: 'ru',
          code: '1234',
          ttlSeconds: 300,
        },
        AbortSignal.timeout(4_000),
      );
    return { provider, send };
  }

  test('plans refusals, forges receipts, sends messages from phones and drops connections', async (t) => {
    const reports: ProviderReport[] = [];
    const { provider, send } = await connect(reports);
    t.after(() => provider.stop?.());
    await postControl(at('smpp'), 'plans', { does: 'accept', receipts: [] });
    const refused = newPhone();
    await postControl(at('smpp'), 'plans', { to: refused, does: 'refuse', code: 0x0b });
    assert.equal((await send(refused)).result, 'refused');

    const phone = newPhone();
    const sent = await send(phone);
    assert.ok(sent.result === 'accepted');
    const report = (given: object) =>
      postControl(at('smpp'), 'receipts', {
        id: centreId(sent.providerId),
        receipt: 'delivered',
        ...given,
      });
    assert.deepEqual((await report({ isForged: true })).body, { ok: true, statuses: [0] });
    assert.deepEqual((await report({})).body, { ok: true, statuses: [0] });
    // Another phone has typed the first one.
    assert.deepEqual(
      reports.map((one) => 'phone' in one && one.phone === phone),
      [false, true],
    );

    const incoming = { phone: '+77050000700', text: 'STOP' };
    assert.deepEqual((await perform('write', incoming)).body, { ok: true, commandStatus: 0 });
    for (const act of ['fall-asleep', 'wake-up', 'drop-connections']) {
      assert.deepEqual((await perform(act)).body, { ok: true });
    }
  });
});
