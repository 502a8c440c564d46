/** Failing providers and the circuit breaker, invalid callbacks, and endless answers. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { statusOf, webhook } from '../../../simulators/whatsapp/cloud-webhook.ts';
import { newPhone } from '../outages/load-client.ts';
import { signalAll } from '../outages/postgres-processes.ts';
import { DEFAULT_TIMEOUTS } from '../start/serve-harness.ts';
import { type FaultService, openService, waitFor } from './fault-service.ts';
import { createTestedProvider, type TestedProvider } from './tested-provider.ts';

/** `isTaken`, so that the journal counts the calls. */
const FAILS: Plan = { does: 'fail', code: 500, isTaken: true, receipts: [] };
const FAILURES_MAX = 5;
const SENDS_WHILE_OPEN = 10;
const BODY_BYTES_MAX = 3 * 1024 * 1024;
const ENDLESS_AT_ONCE = 64;
/** The memory of the process has stopped growing when so many rounds in a row had no new peak. */
const SETTLED_ROUNDS = 3;
const WARM_ROUNDS_MAX = 60;
const MEMORY_RATIO_MAX = 1.1;
const ENDLESS: Plan = { does: 'malformed', form: 'endless', receipts: [] };

let service: FaultService;
let cloud: TestedProvider;
let green: TestedProvider;
let gateway: TestedProvider;
let smsc: TestedProvider;

before(async () => {
  service = await openService((all) => ({
    ...DEFAULT_TIMEOUTS,
    ...all.whatsapp_cloud,
    ...all.green_api,
    ...all.telegram_gateway,
    ...all.telegram_bot,
    ...all.smsc,
    ...all.http('sms'),
  }));
  cloud = createTestedProvider(service, 'whatsapp-cloud');
  green = createTestedProvider(service, 'green-api');
  gateway = createTestedProvider(service, 'telegram-gateway');
  smsc = createTestedProvider(service, 'smsc');
});
after(async () => {
  await service?.close();
});

describe('a provider that fails', () => {
  const isOpen = async () =>
    (await service.metrics()).includes('zhiber_provider_circuit_open{provider="whatsapp-cloud"} 1');
  const callsTaken = () =>
    cloud.provider.journal.lines.filter((tested) => tested.event === 'taken').length;

  // circuit-breaker-case.ts tests the probes, for every provider.
  test('is replaced by the next provider, and does not affect other channels', async () => {
    cloud.provider.plans.add(FAILS);
    assert.equal(await isOpen(), false);
    for (let failures = 0; failures < FAILURES_MAX; failures++) {
      assert.equal((await service.send('whatsapp')).status, 504);
    }
    assert.equal(await isOpen(), true);

    const answers: number[] = [];
    while (answers.length < SENDS_WHILE_OPEN) {
      answers.push((await service.send('whatsapp')).status);
      await Promise.all([gateway.sendSuccessfully(), smsc.sendSuccessfully()]);
    }
    const probes = answers.filter((status) => status === 504).length;
    assert.equal(callsTaken(), FAILURES_MAX + probes, 'only the probes may reach the provider');
    const others = answers.filter((status) => status !== 504);
    assert.deepEqual(new Set(others), new Set([200]));
    assert.equal(
      green.provider.journal.taken().length,
      others.length,
      'the next provider must take all other sends',
    );
  });

  test('is used again when it recovers', async () => {
    cloud.provider.plans.clear();
    const before = callsTaken();
    await waitFor(
      async () => {
        assert.equal((await service.send('whatsapp')).status, 200);
        return callsTaken();
      },
      (count) => count > before,
    );
    assert.equal(await isOpen(), false);
    await cloud.sendSuccessfully();
  });
});

describe('callbacks', () => {
  const call = (name: string, init: RequestInit = {}) =>
    fetch(`${service.url}/callbacks/${name}`, { method: 'POST', body: '{}', ...init });
  const CONFIGURED = [
    'whatsapp-cloud',
    'green-api',
    'telegram-gateway',
    'telegram-bot',
    'smsc',
    'http-sms',
  ];

  /** Everything that a callback could change. */
  const readState = async () => ({
    rows: (await service.rows()).toSorted((a, b) => a.id.localeCompare(b.id)),
    contacts: await service.sql('select count(*)::integer as n from telegram_person'),
  });

  test('without a valid signature get 403 and change nothing', async () => {
    await Promise.all([cloud, green, gateway, smsc].map((tested) => tested.waitForReceipts()));
    const before = await readState();
    const wrong = {
      authorization: 'Bearer somebody-else',
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
      'x-request-timestamp': String(Math.floor(Date.now() / 1000)),
      'x-request-signature': '0'.repeat(64),
      'x-telegram-bot-api-secret-token': 'somebody-else',
      'webhook-id': 'one',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
    };
    const person = { id: 4711, is_bot: false, first_name: 'Чужой' };
    const contact = { phone_number: '+77010000009', first_name: 'Чужой', user_id: 4711 };
    const update = {
      update_id: 1,
      message: { message_id: 1, from: person, chat: { id: 4711, type: 'private' }, contact },
    };
    for (const name of CONFIGURED) {
      for (const headers of [{}, wrong]) {
        for (const body of ['', '{}', 'not json', JSON.stringify(update)]) {
          const { status } = await call(name, { headers, body });
          assert.equal(status, 403, `${name} ${body}`);
        }
      }
      assert.equal((await fetch(`${service.url}/callbacks/${name}`)).status, 403, `GET ${name}`);
    }
    assert.deepEqual(await readState(), before);
  });

  test('of a provider that is not configured get 404', async () => {
    for (const name of ['mobizon', 'smpp', 'http-whatsapp', 'nobody', '']) {
      assert.equal((await call(name)).status, 404, name);
    }
  });

  test('that are too large get 413', async () => {
    for (const name of CONFIGURED) {
      const { status } = await call(name, { body: Buffer.alloc(BODY_BYTES_MAX + 1, ' ') });
      assert.equal(status, 413, name);
    }
  });

  test('get 503 while the database hangs, and are accepted when repeated', async () => {
    const sent = await cloud.send({ does: 'accept', receipts: [] });
    const { phone } = sent;
    const [message] = cloud.taken(phone);
    assert.ok(message);
    const report = webhook(webhookSender(), { statuses: [statusOf(message, 'delivered')] });
    const post = async () => {
      const { headers = {}, body = null } = report;
      const { status } = await fetch(report.url, { method: 'POST', headers, body });
      return status;
    };
    signalAll(service.dataDir, 'SIGSTOP');
    try {
      assert.equal(await post(), 503);
    } finally {
      signalAll(service.dataDir, 'SIGCONT');
    }
    assert.equal(await waitFor(post, (status) => status !== 503), 200);
    assert.equal((await service.row(sent.id)).receipt, 'delivered');
    // A repeated receipt is accepted again.
    assert.equal(await post(), 200);
    assert.equal((await service.send('whatsapp', newPhone())).status, 200);
  });

  function webhookSender() {
    const { settings, url } = service;
    return {
      callbackUrl: `${url}/callbacks/whatsapp-cloud`,
      appSecret: String(settings.WHATSAPP_CLOUD_APP_SECRET),
      phoneNumberId: String(settings.WHATSAPP_CLOUD_PHONE_ID),
      wabaId: String(settings.WHATSAPP_CLOUD_WABA_ID),
    };
  }
});

describe('endless answers', () => {
  /** Sends many messages at once. Returns their statuses, the duration and the peak memory. */
  async function sendMany() {
    const startedAt = performance.now();
    let isOver = false;
    let peakBytes = 0;
    const watching = async () => {
      while (!isOver) peakBytes = Math.max(peakBytes, await service.residentBytes());
    };
    const sending = async () => {
      const sent = await Promise.all(Array.from({ length: ENDLESS_AT_ONCE }, () => gateway.send()));
      isOver = true;
      return sent.map(({ status }) => status);
    };
    const [statuses] = await Promise.all([sending(), watching()]);
    return { statuses: new Set(statuses), peakBytes, ms: performance.now() - startedAt };
  }

  /** Sends until the memory of the process does not grow any more. Returns its peak. */
  async function settleMemory(): Promise<number> {
    let peak = 0;
    let settled = 0;
    for (let round = 0; settled < SETTLED_ROUNDS && round < WARM_ROUNDS_MAX; round++) {
      const { statuses, peakBytes } = await sendMany();
      assert.deepEqual(statuses, new Set([200]));
      settled = peakBytes > peak ? 0 : settled + 1;
      peak = Math.max(peak, peakBytes);
    }
    return peak;
  }

  test('64 at once take no more memory than 64 normal answers', async () => {
    const usualBytes = await settleMemory();
    const { journal, plans } = gateway.provider;
    const takenBefore = journal.taken().length;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    plans.add({ ...ENDLESS, released });
    const sending = sendMany();
    // All calls arrive before the first fails: otherwise the circuit opens and refuses the others.
    await waitFor(
      () => journal.taken().length - takenBefore,
      (arrived) => arrived === ENDLESS_AT_ONCE,
    );
    release();
    const { statuses, peakBytes, ms } = await sending;
    plans.clear();
    const ratio = peakBytes / usualBytes;
    console.log(
      `${ENDLESS_AT_ONCE} endless answers: ${ratio.toFixed(3)} of the usual memory ` +
        `(${Math.round(usualBytes / 2 ** 20)} MiB), over after ${Math.round(ms)} ms`,
    );
    assert.deepEqual(statuses, new Set([504]));
    assert.ok(ratio <= MEMORY_RATIO_MAX, `${ratio}`);
  });
});

test('the ledger invariants hold, and no secret was logged', async () => {
  await service.assertInvariants();
});
