/** The connection to the message centre: its window, its loss, its end, its check. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pino from 'pino';
import { Registry } from 'prom-client';
import type { SmppSimulator } from '../../../simulators/smpp/smpp.ts';
import { withCircuitBreaker } from '../../src/channels/circuit-breaker.ts';
import { createProviderMetrics } from '../../src/channels/provider-metrics.ts';
import { SELF_SIGNED } from '../self-signed.ts';
import { ignoreReports, soon, until } from './rig/messages.ts';
import { message, openTo, PASSWORD, SYSTEM_ID, startCentre, startRig } from './smpp-rig.ts';

const UNKNOWN = { result: 'unknown', reason: 'Оператор SMS не ответил' };
const LOST = { ...UNKNOWN, isConnectionLost: true };
const CROWDED = {
  result: 'refused',
  reason: 'Оператор SMS не успевает принимать сообщения',
  isNotOffered: true,
};
const UNAVAILABLE = { result: 'unavailable', reason: 'Нет связи с оператором SMS' };

const textsTaken = ({ journal }: SmppSimulator) => journal.taken().map(({ text }) => text);

/** An enquire_link with the sequence number 9. */
const ENQUIRY = Buffer.from('00000010000000150000000000000009', 'hex');

// Tests wait far more than they work, each with a centre of its own.
describe('smpp', { concurrency: true }, () => {
  describe('one message', { concurrency: true }, () => {
    test('a full window: refused while there is time to ask somebody else, and not sent later', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { window: 1 } });
      centre.plans.add({ does: 'hang', times: 1 });
      const first = provider.send(message('код 1'), soon());
      const signal = soon();
      assert.deepEqual(await provider.send(message('код 2'), signal), CROWDED);
      assert(!signal.aborted);
      assert.deepEqual(await first, UNKNOWN);
      await until(() => centre.figures().binds === 2);
      assert.equal((await provider.send(message('код 3'), soon())).result, 'accepted');
      assert.deepEqual(textsTaken(centre), ['код 1', 'код 3']);
    });

    test('no time left for the response: unknown at once', async (t) => {
      // Nothing but the end of the sender's time can end the wait.
      const { centre, provider } = await startRig(t, { settings: { responseTimeoutMs: 600_000 } });
      centre.plans.add({ does: 'hang' });
      const time = new AbortController();
      const sending = provider.send(message('код'), time.signal);
      await until(() => centre.journal.taken().length === 1);
      time.abort();
      assert.deepEqual(await sending, UNKNOWN);
    });

    test('a link lost between two parts: unknown', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.plans.add({ does: 'reset_before' });
      centre.plans.add({ does: 'accept', times: 1 });
      const outcome = await provider.send(message('я'.repeat(100)), soon());
      assert.equal(outcome.result, 'unknown');
    });
  });

  describe('the window', { concurrency: true }, () => {
    test('who gets no place in time has sent nothing', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { window: 2 } });
      centre.plans.add({ does: 'hang' });
      const time = new AbortController();
      const held = [1, 2].map(() => provider.send(message('код'), time.signal));
      await until(() => centre.journal.taken().length === 2);
      assert.deepEqual(await provider.send(message('лишний'), soon(150)), UNAVAILABLE);
      time.abort();
      assert.deepEqual(await Promise.all(held), [UNKNOWN, UNKNOWN]);
      assert.equal(centre.journal.taken().length, 2);
      assert.equal(centre.figures().windowPeak, 2);
    });

    test('a message whose answer is late keeps its place until it comes', async (t) => {
      const { centre, provider } = await startRig(t, {
        centre: { window: 2 },
        // So far apart that a busy machine does not make the prompt answers late as well.
        settings: { window: 2, responseTimeoutMs: 2_000 },
      });
      centre.plans.add({ does: 'accept', delayMs: 5_000, times: 1 });
      assert.deepEqual(await provider.send(message('поздний'), soon()), UNKNOWN);
      centre.plans.add({ does: 'accept', delayMs: 20 });
      const sends = Array.from({ length: 12 }, () => provider.send(message('код'), soon()));
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual([...new Set(results)], ['accepted']);
      assert.deepEqual([centre.figures().windowPeak, centre.figures().windowBreaches], [2, 0]);
    });

    test('when nobody in it is answered, the link is opened again', async (t) => {
      const settings = { window: 3, responseTimeoutMs: 2_000 };
      const { centre, provider } = await startRig(t, { settings });
      centre.plans.add({ does: 'hang', times: 3 });
      const sends = Array.from({ length: 3 }, () => provider.send(message('код'), soon()));
      assert.deepEqual(await Promise.all(sends), [UNKNOWN, UNKNOWN, UNKNOWN]);
      await until(() => centre.figures().binds === 2);
      assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
    });

    test('who waits when the link is lost has sent nothing, and goes over the next one', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { window: 1 } });
      centre.plans.add({ does: 'hang', times: 1 });
      const sends = ['первый', 'второй'].map((text) => provider.send(message(text), soon()));
      await until(() => centre.journal.taken().length === 1);
      centre.dropConnections();
      const [first, second] = await Promise.all(sends);
      assert.deepEqual([first, second?.result], [LOST, 'accepted']);
      assert.deepEqual(textsTaken(centre), ['первый', 'второй']);
    });

    test('who waits when the link is lost for good is told so, and not one by one', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { window: 1, ratePerSecond: 1 } });
      centre.plans.add({ does: 'hang', times: 1 });
      const first = provider.send(message('первый'), soon());
      await until(() => centre.journal.taken().length === 1);
      // One by one they would have a turn each, a second apart.
      const turns: string[] = [];
      const tick = setInterval(() => turns.push('a second'), 1_000);
      t.after(() => clearInterval(tick));
      const others = Array.from({ length: 5 }, async () => {
        const outcome = await provider.send(message('другой'), soon());
        turns.push('told');
        return outcome;
      });
      await centre.close();
      assert.deepEqual(await first, LOST);
      assert.deepEqual(await Promise.all(others), Array(5).fill(UNAVAILABLE));
      assert.ok(turns.join().includes(Array(5).fill('told').join()), `${turns}`);
    });
  });

  describe('no link', { concurrency: true }, () => {
    test('not started, and stopped: unavailable', async (t) => {
      const centre = await startCentre(t);
      const provider = openTo(centre.port);
      assert.deepEqual(await provider.send(message('код'), soon()), UNAVAILABLE);
      provider.start?.(ignoreReports);
      await until(() => centre.figures().binds === 1);
      await provider.stop?.();
      assert.deepEqual(await provider.send(message('код'), soon()), UNAVAILABLE);
    });

    test('a link that is lost for a moment is waited for', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.dropConnections();
      const outcomes = await Promise.all([
        provider.send(message('код 1'), soon()),
        until(() => centre.figures().binds === 2).then(() =>
          provider.send(message('код 2'), soon()),
        ),
      ]);
      assert.equal(outcomes[1].result, 'accepted');
      assert.ok(outcomes.every(({ result }) => result !== 'refused'));
    });
  });

  describe('the link', { concurrency: true }, () => {
    test('asks whether the centre is there, and is opened again when it is silent', async (t) => {
      const settings = { enquireSeconds: 0.05, responseTimeoutMs: 1_000 };
      const { centre, provider } = await startRig(t, { settings });
      await until(() => centre.figures().enquiries >= 3);
      assert.equal(centre.figures().binds, 1);
      centre.setAwake(false);
      await until(() => centre.figures().binds === 2);
      centre.setAwake(true);
      let outcome = await provider.send(message('код'), soon());
      while (outcome.result === 'unavailable')
        outcome = await provider.send(message('код'), soon());
      assert.equal(outcome.result, 'accepted');
    });

    test('answers when it is asked', async (t) => {
      const { centre } = await startRig(t);
      assert.equal(await centre.enquire(), 0);
    });

    test('a silent message is enough to ask, and silence then ends the link', async (t) => {
      const settings = { enquireSeconds: 600, responseTimeoutMs: 1_000 };
      const { centre, provider } = await startRig(t, { settings });
      centre.setAwake(false);
      centre.plans.add({ does: 'hang', times: 1 });
      assert.equal((await provider.send(message('код'), soon())).result, 'unknown');
      await until(() => centre.figures().binds === 2);
      assert.equal(centre.figures().enquiries, 1);
    });

    test('is opened again with growing pauses while the centre lets nobody in', async (t) => {
      const centre = await startCentre(t);
      const provider = openTo(centre.port, { password: 'wrong' });
      const startedAt = performance.now();
      provider.start?.(ignoreReports);
      await until(() => centre.figures().refusedBinds >= 4);
      const waitedMs = performance.now() - startedAt;
      await provider.stop?.();
      // Pauses of 50 to 100 ms, then twice as long each time.
      assert.ok(waitedMs >= 50 + 100 + 200, `four binds in ${waitedMs} ms`);
    });

    const garbage: Record<string, Buffer> = {
      garbage: Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
      'a PDU of four gigabytes': Buffer.from('ffffffff000000050000000000000001', 'hex'),
      'a PDU shorter than its header': Buffer.from('00000004000000050000000000000001', 'hex'),
    };
    for (const [what, octets] of Object.entries(garbage)) {
      test(`${what} ends it, and it is opened again`, async (t) => {
        const { centre, provider } = await startRig(t);
        centre.say(octets);
        await until(() => centre.figures().binds === 2);
        assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
      });
    }

    test('a request that cannot be read or is not known is answered with generic_nack', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.say(Buffer.from('00000012000000050000000000000011ffff', 'hex'));
      centre.say(Buffer.from('00000010000001020000000000000012', 'hex'));
      centre.say(Buffer.from('00000010000000040000000000000013', 'hex'));
      centre.say(ENQUIRY);
      await until(() => centre.figures().strayResponses.length === 4);
      assert.deepEqual(centre.figures().strayResponses, [
        { id: 0x8000_0000, status: 0x02, sequence: 0x11 },
        { id: 0x8000_0000, status: 0x03, sequence: 0x12 },
        { id: 0x8000_0000, status: 0x02, sequence: 0x13 },
        { id: 0x8000_0015, status: 0, sequence: 9 },
      ]);
      assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
      assert.equal(centre.figures().binds, 1);
    });

    test('a farewell of the centre is answered, and the link opened again', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.say(Buffer.from('00000010000000060000000000000021', 'hex'));
      await until(() => centre.figures().binds === 2);
      assert.deepEqual(centre.figures().strayResponses, [
        { id: 0x8000_0006, status: 0, sequence: 0x21 },
      ]);
      assert.equal((await provider.send(message('код'), soon())).result, 'accepted');
    });
  });

  describe('bulk messages', { concurrency: true }, () => {
    const bulk = (text: string) => message(text, { content: 'broadcast', isBulk: true });

    test('a code leaves before those that wait for their turn', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { ratePerSecond: 2 } });
      const sends = ['первая', 'вторая'].map((text) => provider.send(bulk(text), soon()));
      await until(() => textsTaken(centre).length === 1);
      sends.push(provider.send(message('код'), soon()));
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, Array(3).fill('accepted'));
      assert.deepEqual(textsTaken(centre), ['первая', 'код', 'вторая']);
    });

    test('one whose turn does not come in time can be sent later', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { ratePerSecond: 1 } });
      const sends = ['первая', 'вторая', 'третья'].map((text) => provider.send(bulk(text), soon()));
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, ['accepted', 'accepted', 'unavailable']);
      assert.deepEqual(textsTaken(centre), ['первая', 'вторая']);
    });

    test('they fill half of the window, and a code finds its place in it at once', async (t) => {
      const { centre, provider } = await startRig(t, {
        centre: { window: 4 },
        settings: { window: 4 },
      });
      const kept = withCircuitBreaker(provider, {
        metrics: createProviderMetrics(new Registry()),
        log: pino({ level: 'silent' }),
      });
      centre.plans.add({ does: 'accept', delayMs: 300 });
      const sends = Array.from({ length: 6 }, (_, i) => kept.send(bulk(`${i}`), soon()));
      await until(() => centre.figures().windowPeak === 2);
      const code = kept.send(message('код'), soon());
      await until(() => centre.figures().windowPeak === 3);
      const results = (await Promise.all([...sends, code])).map(({ result }) => result);
      assert.deepEqual(results, Array(7).fill('accepted'));
      assert.equal(textsTaken(centre)[2], 'код');
      assert.deepEqual([centre.figures().windowPeak, centre.figures().windowBreaches], [3, 0]);
    });

    test('both parts of a long one leave, whoever waits', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { ratePerSecond: 10 } });
      const long = 'я'.repeat(100);
      const sends = [provider.send(bulk(long), soon())];
      sends.push(...['код 1', 'код 2'].map((text) => provider.send(message(text), soon())));
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, Array(3).fill('accepted'));
      assert.deepEqual(new Set(textsTaken(centre)), new Set([long, 'код 1', 'код 2']));
    });

    test('one that is throttled is sent again, still behind the others', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.plans.add({ does: 'refuse', code: 0x58, times: 1 });
      const sends = [provider.send(bulk('рассылка'), soon())];
      await until(() => centre.journal.lines.some(({ event }) => event === 'refused'));
      sends.push(provider.send(message('код'), soon()));
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, ['accepted', 'accepted']);
      assert.deepEqual(textsTaken(centre), ['код', 'рассылка']);
    });
  });

  describe('a stop', { concurrency: true }, () => {
    test('waits for the responses under way, then unbinds', async (t) => {
      const { centre, provider } = await startRig(t);
      centre.plans.add({ does: 'accept', delayMs: 300 });
      const sends = [message('код'), message('я'.repeat(100))].map((one) =>
        provider.send(one, soon()),
      );
      await until(() => centre.figures().windowPeak === 2);
      const stopping = provider.stop?.();
      assert.equal((await provider.send(message('поздно'), soon())).result, 'unavailable');
      await stopping;
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, ['accepted', 'accepted']);
      assert.deepEqual([centre.figures().unbinds, centre.figures().binds], [1, 1]);
      assert.equal(centre.journal.taken().length, 2);
    });

    test('sends nothing of those who still wait for a place', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { window: 1 } });
      centre.plans.add({ does: 'accept', delayMs: 300 });
      const sends = ['первый', 'второй'].map((text) => provider.send(message(text), soon()));
      await until(() => centre.journal.taken().length === 1);
      await provider.stop?.();
      const results = (await Promise.all(sends)).map(({ result }) => result);
      assert.deepEqual(results, ['accepted', 'unavailable']);
      assert.equal(centre.journal.taken().length, 1);
    });

    test('does not wait for what is never answered', async (t) => {
      const { centre, provider } = await startRig(t, { settings: { responseTimeoutMs: 600_000 } });
      centre.plans.add({ does: 'hang' });
      const time = new AbortController();
      const sending = provider.send(message('код'), time.signal);
      await until(() => centre.journal.taken().length === 1);
      await provider.stop?.();
      assert.equal((await sending).result, 'unknown');
      assert.equal(centre.figures().unbinds, 1);
    });

    test('ends a link that was never bound', async (t) => {
      const centre = await startCentre(t);
      const provider = openTo(centre.port, { password: 'wrong' });
      provider.start?.(ignoreReports);
      await provider.stop?.();
    });
  });

  describe('the check', { concurrency: true }, () => {
    test('without a link binds, asks, and unbinds', async (t) => {
      const centre = await startCentre(t);
      const check = await openTo(centre.port).check(soon());
      assert.deepEqual(check, {
        ok: true,
        detail: `SMPP 127.0.0.1:${centre.port}: bound, and it answers.`,
      });
      const { binds, enquiries, unbinds } = centre.figures();
      assert.deepEqual({ binds, enquiries, unbinds }, { binds: 1, enquiries: 1, unbinds: 1 });
    });

    test('with a link uses it', async (t) => {
      const { centre, provider } = await startRig(t);
      assert.equal((await provider.check(soon())).ok, true);
      assert.equal(centre.figures().binds, 1);
    });

    const wrong: [string, Record<string, string>, string][] = [
      ['a wrong password', { password: 'wrong-pw' }, 'the password is wrong'],
      ['a wrong system id', { systemId: 'somebody' }, 'the system id is wrong'],
    ];
    for (const [what, settings, words] of wrong) {
      test(`names ${what}, and shows no credential`, async (t) => {
        const centre = await startCentre(t);
        const { ok, detail } = await openTo(centre.port, settings).check(soon());
        assert.deepEqual([ok, detail], [false, `SMPP 127.0.0.1:${centre.port}: ${words}.`]);
        for (const secret of [PASSWORD, SYSTEM_ID, ...Object.values(settings)]) {
          assert.ok(!detail.includes(secret));
        }
      });
    }

    test('says that it is bound and not answered', async (t) => {
      const centre = await startCentre(t);
      centre.setAwake(false);
      const check = await openTo(centre.port, { responseTimeoutMs: 1_000 }).check(soon());
      assert.equal(check.ok, false);
      assert.match(check.detail, /does not answer enquire_link/);
    });

    test('turns receipts away, so that they come again to who stores them', async (t) => {
      const { centre, provider, storage } = await startRig(t, { centre: { repeatMs: 20 } });
      storage.isBroken = true;
      await provider.send(message('код'), soon());
      await until(() => centre.journal.lines.some(({ event }) => event === 'receipt'));
      await provider.stop?.();
      await openTo(centre.port).check(soon());
      const statuses = centre.journal.lines.flatMap((line) =>
        line.event === 'receipt' ? [line.status] : [],
      );
      assert.ok(!statuses.includes(0));
    });

    test('ends when it is called off', async (t) => {
      const centre = await startCentre(t);
      const { ok } = await openTo(centre.port).check(AbortSignal.abort());
      assert.equal(ok, false);
    });
  });

  describe('TLS', { concurrency: true }, () => {
    test('is trusted with the authority that the settings name', async (t) => {
      const settings = { tls: true, tlsCa: SELF_SIGNED.cert };
      const { centre, provider, reports } = await startRig(t, {
        centre: { tls: SELF_SIGNED },
        settings,
      });
      assert.equal((await provider.send(message('код 1'), soon())).result, 'accepted');
      await centre.settle();
      assert.equal(reports.length, 1);
    });

    test('with an unknown authority is not trusted, and no password is told', async (t) => {
      const centre = await startCentre(t, { tls: SELF_SIGNED });
      const { ok, detail } = await openTo(centre.port, { tls: true }).check(soon());
      assert.equal(ok, false);
      assert.match(detail, /its TLS failed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/);
      assert.deepEqual([centre.figures().binds, centre.figures().refusedBinds], [0, 0]);
    });

    test('is not spoken by every centre, which is then not reached', async (t) => {
      const centre = await startCentre(t);
      const { ok } = await openTo(centre.port, { tls: true }).check(soon());
      assert.equal(ok, false);
    });
  });
});
