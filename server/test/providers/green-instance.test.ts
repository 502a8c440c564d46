import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { notOffered, unavailable } from '../../src/channels/failed-outcome.ts';
import type { ProviderReport } from '../../src/channels/provider.ts';
import type { GreenApiSettings } from '../../src/channels/whatsapp/green-api.ts';
import { GREEN_API, openGreenRig } from './provider-rigs.ts';
import { NOBODYS_URL, serve, startParrot } from './rig/local-server.ts';
import { acceptedId, codeMessage, posted, QUIET, soon, until } from './rig/messages.ts';
import { logged } from './rig/tools.ts';

const REFUSED_BY_IT = unavailable('Аккаунт WhatsApp у провайдера не подключён');
const NOT_CONNECTED = notOffered(REFUSED_BY_IT);
const TAKEN_OUT = 'WhatsApp не отправил сообщение: аккаунт у провайдера не подключён';
/** So rarely that a test never waits for it. */
const NEVER_MS = 3_600_000;

type Given = { settings?: Partial<GreenApiSettings>; state?: string };

/** Green-API sends no notification of it. */
const SILENTLY = { isSilent: true };

/** A provider that has been started. */
async function start(t: TestContext, { settings = {}, state }: Given = {}) {
  const rig = await openGreenRig(t, {
    settings: { pollMs: NEVER_MS, ...settings },
    simulator: state === undefined ? {} : { state },
  });
  const { provider, simulator } = rig;
  const reports: ProviderReport[] = [];
  const storage = { isBroken: false };
  provider.start?.(async (report) => {
    if (storage.isBroken) throw new Error('the database is away');
    reports.push(report);
    return { isMatched: true };
  });
  const isUp = () => provider.state?.().isUp === true;
  const calls = (method: string) =>
    simulator.journal.lines.filter((line) => line.event === 'call' && line.path.includes(method));
  if (state === undefined && settings.url === undefined) await until(isUp);
  const send = () => provider.send(codeMessage(), soon());
  return { ...rig, reports, storage, isUp, calls, send };
}

/** A message that another node has sent before it knew. */
async function sendPastUs(url: string): Promise<string> {
  const answer = await fetch(
    `${url}/waInstance${GREEN_API.instanceId}/sendMessage/${GREEN_API.token}`,
    { method: 'POST', body: JSON.stringify({ chatId: '77010000002@c.us', message: 'Код 1' }) },
  );
  return ((await answer.json()) as { idMessage: string }).idMessage;
}

describe('green-api: an instance that cannot send', () => {
  const STATES = {
    notAuthorized: [NOT_CONNECTED, 'link its phone again in the console'],
    blocked: [
      notOffered(unavailable('WhatsApp заблокировал номер отправителя')),
      'WhatsApp has blocked its number',
    ],
    yellowCard: [
      notOffered(unavailable('WhatsApp приостановил отправку с этого номера')),
      'WhatsApp has suspended its number; wait, then reboot it in the console',
    ],
    starting: [NOT_CONNECTED, 'it takes up to five minutes'],
    sleepMode: [NOT_CONNECTED, 'its phone is off'],
  } as const;
  for (const [state, [refusal, advice]] of Object.entries(STATES)) {
    test(`because it is ${state} gets nothing from the moment it says so`, async (t) => {
      const { provider, simulator, send } = await start(t);
      await simulator.setState(state);
      assert.deepEqual(await send(), refusal);
      const { isUp, detail } = provider.state?.() ?? {};
      assert.deepEqual([isUp, detail], [false, `The instance is ${state}: ${advice}.`]);
      assert.deepEqual([simulator.journal.taken(), simulator.queued()], [[], []]);
    });
  }

  test('because of a state that nobody knows gets nothing either', async (t) => {
    const { provider, simulator, send } = await start(t);
    await simulator.setState('suspended');
    assert.deepEqual(await send(), NOT_CONNECTED);
    assert.equal(provider.state?.().detail, 'The instance is suspended.');
  });

  test('is found by a question when it does not say so, and so is its return', async (t) => {
    const { simulator, send, isUp } = await start(t, { settings: { pollMs: 50 } });
    await simulator.setState('notAuthorized', SILENTLY);
    await until(() => !isUp());
    assert.deepEqual(await send(), NOT_CONNECTED);
    await simulator.setState('authorized', SILENTLY);
    await until(isUp);
    assert.equal((await send()).result, 'accepted');
  });

  test('is found soon when it refuses a message', async (t) => {
    const { simulator, send, isUp } = await start(t);
    await simulator.setState('notAuthorized', SILENTLY);
    simulator.plans.add({ does: 'refuse', code: 'not_authorized', times: 1 });
    assert.deepEqual(await send(), REFUSED_BY_IT);
    await until(() => !isUp());
    assert.deepEqual(simulator.queued(), []);
  });

  test('is found soon when a receipt tells of a yellow card', async (t) => {
    const { simulator, desk, send, isUp } = await start(t);
    simulator.plans.add(QUIET);
    const id = acceptedId(await send());
    await simulator.setState('yellowCard', SILENTLY);
    await simulator.report(id, 'failed', { failure: 'yellowCard' });
    await until(() => !isUp());
    assert.equal(desk.reports().length, 1);
  });

  test('is found at the start', async (t) => {
    const { simulator, send, isUp, provider } = await start(t, { state: 'blocked' });
    await until(() => provider.state?.().detail !== 'Not started.');
    assert.equal(isUp(), false);
    assert.equal((await send()).result, 'unavailable');
    assert.deepEqual(simulator.journal.taken(), []);
  });

  test('is told of once in the log, and so is its return', async (t) => {
    const { simulator, isUp, calls } = await start(t, { settings: { pollMs: 20 } });
    const before = logged.length;
    await simulator.setState('blocked');
    const asked = calls('getStateInstance').length;
    await until(() => calls('getStateInstance').length > asked + 3);
    await simulator.setState('authorized');
    await until(isUp);
    const lines = logged.slice(before).filter(({ provider }) => provider === 'green-api');
    assert.deepEqual(
      lines.map(({ level, msg }) => [level, msg]),
      [
        [50, 'provider is down'],
        [30, 'provider is up'],
      ],
    );
  });
});

describe('green-api: the queue of an instance that cannot send', () => {
  test('is emptied, and its messages are reported as failed', async (t) => {
    const { simulator, reports, send } = await start(t);
    await simulator.setState('notAuthorized', SILENTLY);
    const id = acceptedId(await send());
    await simulator.setState('notAuthorized');
    await until(() => reports.length > 0);
    assert.deepEqual(reports, [{ providerId: id, receipt: 'failed', reason: TAKEN_OUT }]);
    await until(() => simulator.queued().length === 0);
  });

  test('is emptied before the instance gets a new message', async (t) => {
    const { simulator, reports, send, isUp } = await start(t);
    await simulator.setState('notAuthorized');
    await until(() =>
      simulator.journal.lines.some((line) => line.event === 'call' && line.path.includes('clear')),
    );
    const id = await sendPastUs(simulator.url);
    assert.deepEqual(simulator.queued(), [id]);
    await simulator.setState('authorized');
    assert.deepEqual(await send(), NOT_CONNECTED);
    await until(isUp);
    assert.deepEqual(simulator.queued(), []);
    assert.deepEqual(reports, [{ providerId: id, receipt: 'failed', reason: TAKEN_OUT }]);
    const fresh = acceptedId(await send());
    assert.deepEqual(
      simulator.journal.taken().map((taken) => taken.id),
      [fresh],
    );
  });

  test('keeps its messages until their failure is stored', async (t) => {
    const { simulator, reports, storage, calls } = await start(t);
    await simulator.setState('notAuthorized');
    await until(() => calls('clearMessagesQueue').length === 1);
    storage.isBroken = true;
    const id = await sendPastUs(simulator.url);
    for (const shown of [2, 3]) {
      await simulator.setState('notAuthorized');
      await until(() => calls('showMessagesQueue').length === shown);
    }
    // The second question came after all that the first one caused.
    assert.deepEqual([simulator.queued(), calls('clearMessagesQueue').length], [[id], 1]);
    storage.isBroken = false;
    await simulator.setState('notAuthorized');
    await until(() => simulator.queued().length === 0);
    assert.equal(reports.length, 1);
  });

  test('keeps an instance down that is authorized again, until it is empty', async (t) => {
    const { simulator, storage, calls, isUp, send } = await start(t);
    await simulator.setState('notAuthorized');
    await until(() => calls('clearMessagesQueue').length === 1);
    storage.isBroken = true;
    await sendPastUs(simulator.url);
    for (const shown of [2, 3]) {
      await simulator.setState('authorized');
      await until(() => calls('showMessagesQueue').length === shown);
    }
    assert.equal(isUp(), false);
    assert.deepEqual(await send(), NOT_CONNECTED);
    storage.isBroken = false;
    await simulator.setState('authorized');
    await until(isUp);
    assert.deepEqual([simulator.queued(), simulator.journal.taken()], [[], []]);
  });

  test('is left alone while the instance is authorized', async (t) => {
    const { simulator, calls } = await start(t, { settings: { pollMs: 20 } });
    await until(() => calls('getStateInstance').length > 3);
    await simulator.setState('authorized');
    await until(() => calls('getStateInstance').length > 6);
    assert.deepEqual([calls('showMessagesQueue'), calls('clearMessagesQueue')], [[], []]);
  });

  const LOST = { 'is not answered': undefined, 'is too early': 429, fails: 503 };
  for (const method of ['showMessagesQueue', 'clearMessagesQueue']) {
    for (const [what, status] of Object.entries(LOST)) {
      test(`is asked for again when ${method} ${what}, and the instance stays down`, async (t) => {
        let state = 'notAuthorized';
        let answersWith = status;
        const asked: string[] = [];
        const url = await serve(t, (request, response) => {
          const [, , called = ''] = (request.url ?? '').split('/');
          asked.push(called);
          if (called === 'getStateInstance') {
            return response.end(JSON.stringify({ stateInstance: state }));
          }
          if (called !== method || answersWith === 200) {
            return response.end(called === 'showMessagesQueue' ? '[]' : '{"isCleared":true}');
          }
          return answersWith === undefined
            ? response.destroy()
            : response.writeHead(answersWith).end();
        });
        const { isUp } = await start(t, { settings: { url, pollMs: 20 } });
        const times = () => asked.filter((called) => called === method).length;
        await until(() => times() > 2);
        state = 'authorized';
        const before = times();
        await until(() => times() > before + 2);
        assert.equal(isUp(), false);
        if (method === 'showMessagesQueue') assert.ok(!asked.includes('clearMessagesQueue'));
        answersWith = 200;
        await until(isUp);
      });
    }
  }

  test('that cannot be emptied does not keep the instance down for ever', async (t) => {
    const answer = { status: 200, body: '{"stateInstance":"notAuthorized"}' };
    const { url, paths } = await startParrot(t, answer);
    const { isUp, provider } = await start(t, { settings: { url, pollMs: 20 } });
    await until(() => paths.filter((path) => path?.includes('clear')).length > 1);
    answer.body = '{"stateInstance":"authorized"}';
    await until(isUp);
    assert.ok(logged.some(({ msg }) => msg === 'queue could not be cleared'));
    assert.equal(provider.state?.().detail, 'The instance is authorized.');
  });
});

describe('green-api: what says nothing of the instance', () => {
  const notice = (stateInstance: unknown, ageSeconds: number) =>
    posted(
      {
        typeWebhook: 'stateInstanceChanged',
        instanceData: { idInstance: Number(GREEN_API.instanceId) },
        timestamp: Math.floor(Date.now() / 1_000) - ageSeconds,
        stateInstance,
      },
      { authorization: `Bearer ${GREEN_API.callbackToken}` },
    );

  test('an old notification, which waited while the service was away', async (t) => {
    const { provider, send, isUp } = await start(t);
    assert.deepEqual(provider.readCallback?.(notice('notAuthorized', 600)), { reports: [] });
    assert.ok(isUp());
    assert.equal((await send()).result, 'accepted');
    provider.readCallback?.(notice('notAuthorized', 5));
    assert.equal(isUp(), false);
  });

  test('a notification with a wrong token, or with nothing in it', async (t) => {
    const { provider, isUp } = await start(t);
    const forged = { ...notice('blocked', 0), headers: { authorization: 'Bearer x' } };
    assert.equal(provider.readCallback?.(forged), undefined);
    assert.deepEqual(provider.readCallback?.(notice(7, 0)), { reports: [] });
    assert.ok(isUp());
  });

  test('a question that is not answered', async (t) => {
    const { provider, simulator, isUp } = await start(t, { settings: { pollMs: 20 } });
    await simulator.close();
    const outcome = await provider.send(codeMessage(), soon());
    assert.deepEqual(outcome, unavailable('Провайдер недоступен'));
    assert.ok(isUp());
  });

  test('a notification before the service has started', async (t) => {
    const { provider } = await openGreenRig(t);
    provider.readCallback?.(notice('blocked', 0));
    assert.equal((await provider.send(codeMessage(), soon())).result, 'accepted');
  });
});

describe('green-api: the state at the start', () => {
  const FAULTS = {
    'Green-API could not be reached (ECONNREFUSED).': { url: NOBODYS_URL },
    'Green-API does not accept the token of the instance.': { token: 'wrong' },
    'Green-API does not know this instance at this address.': { instanceId: '7' },
  };
  for (const [detail, settings] of Object.entries(FAULTS)) {
    test(`says why it is not known: ${detail}`, async (t) => {
      const { provider } = await start(t, { settings, state: 'authorized' });
      await until(() => provider.state?.().detail === detail);
      assert.equal(provider.state?.().isUp, false);
    });
  }
});
