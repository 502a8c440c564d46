import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { soon } from './rig/messages.ts';
import {
  message,
  openTo,
  PASSWORD,
  SIDE_BY_SIDE,
  SYSTEM_ID,
  startCentre,
  startRig,
  until,
} from './smpp-rig.ts';

/** An enquire_link with the sequence number 9. */
const ENQUIRY = Buffer.from('00000010000000150000000000000009', 'hex');

describe('the link', SIDE_BY_SIDE, () => {
  test('asks whether the centre is there, and is opened again when it is silent', async (t) => {
    const settings = { enquireSeconds: 0.05, responseTimeoutMs: 1_000 };
    const { centre, provider } = await startRig(t, { settings });
    await until(() => centre.figures().enquiries >= 3);
    assert.equal(centre.figures().binds, 1);
    centre.setAwake(false);
    await until(() => centre.figures().binds === 2);
    centre.setAwake(true);
    let outcome = await provider.send(message('код'), soon());
    while (outcome.result === 'unavailable') outcome = await provider.send(message('код'), soon());
    assert.equal(outcome.result, 'accepted');
  });

  test('answers when it is asked', async (t) => {
    const { centre } = await startRig(t);
    assert.equal(await centre.enquire(), 0);
  });

  test('a silent message is enough to ask, and silence then ends the link', async (t) => {
    const settings = { enquireSeconds: 600, responseTimeoutMs: 150 };
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
    provider.start?.(async () => undefined);
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
    centre.say(Buffer.from('00000010000001030000000000000012', 'hex'));
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

describe('a stop', SIDE_BY_SIDE, () => {
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
    provider.start?.(async () => undefined);
    await provider.stop?.();
  });
});

describe('the check', SIDE_BY_SIDE, () => {
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

  test('says that nobody is there', async (t) => {
    const centre = await startCentre(t);
    await centre.close();
    const { ok, detail } = await openTo(centre.port).check(soon());
    assert.equal(ok, false);
    assert.match(detail, /it cannot be reached \(ECONNREFUSED\)\.$/);
  });

  test('says that it is bound and not answered', async (t) => {
    const centre = await startCentre(t);
    centre.setAwake(false);
    const check = await openTo(centre.port, { responseTimeoutMs: 100 }).check(soon());
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
