/** What the world outside does to a service: providers that stop working, callbacks from anybody. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Plan } from '../../../simulators/frame/plan.ts';
import { statusOf, webhook } from '../../../simulators/whatsapp/cloud-webhook.ts';
import { newPhone } from '../outages/load.ts';
import { signalAll } from '../outages/postgres-processes.ts';
import { AS_DELIVERED } from '../start/serve-harness.ts';
import { type FaultService, openService, until } from './fault-service.ts';
import { type Line, lineOf } from './lines.ts';

/** Counted by the journal, although nothing is answered to it. */
const FAILS: Plan = { does: 'fail', code: 500, isTaken: true, receipts: [] };
const FAILURES_MAX = 5;
const PROBE_EVERY_MS = 1_000;
/** So many are watched. */
const PROBES = 3;
const BODY_BYTES_MAX = 3 * 1024 * 1024;
const ENDLESS_AT_ONCE = 64;
/** Until the process has the memory that it needs for so many at once. */
const WARM_ROUNDS = 6;
const MEMORY_RATIO_MAX = 1.1;
/** They begin when all of them are there; the circuit would keep the later ones away. */
const ENDLESS: Plan = { does: 'malformed', form: 'endless', delayMs: 500, receipts: [] };

let service: FaultService;
let cloud: Line;
let green: Line;
let gateway: Line;
let smsc: Line;

before(async () => {
  service = await openService((all) => ({
    ...AS_DELIVERED,
    ...all.whatsapp_cloud,
    ...all.green_api,
    ...all.telegram_gateway,
    ...all.telegram_bot,
    ...all.smsc,
    ...all.http('sms'),
  }));
  cloud = lineOf(service, 'whatsapp-cloud');
  green = lineOf(service, 'green-api');
  gateway = lineOf(service, 'telegram-gateway');
  smsc = lineOf(service, 'smsc');
});
after(async () => {
  await service?.close();
});

describe('a provider that fails', () => {
  const isOpen = async () =>
    (await service.metrics()).includes('zhiber_provider_circuit_open{provider="whatsapp-cloud"} 1');
  const callsTaken = () =>
    cloud.provider.journal.lines.filter((line) => line.event === 'taken').length;

  test('is left alone after five failures, and tried once a second', async () => {
    cloud.provider.plans.add(FAILS);
    assert.equal(await isOpen(), false);
    const since = performance.now();
    for (let failures = 0; failures < FAILURES_MAX; failures++) {
      assert.equal((await service.send('whatsapp')).status, 504);
    }
    assert.equal(await isOpen(), true);
    assert.equal(callsTaken(), FAILURES_MAX);

    const answers: number[] = [];
    while (answers.filter((status) => status === 504).length < PROBES) {
      answers.push((await service.send('whatsapp')).status);
      await Promise.all([gateway.sendWell(), smsc.sendWell()]);
    }
    assert.equal(callsTaken(), FAILURES_MAX + PROBES, 'every other send went elsewhere');
    // When a call arrives says nothing of when it left: a busy machine may bring two together.
    const openMs = performance.now() - since;
    assert.ok(openMs >= PROBES * PROBE_EVERY_MS, `${PROBES} probes in ${openMs} ms`);
    const others = answers.filter((status) => status !== 504);
    assert.deepEqual(new Set(others), new Set([200]));
    assert.equal(green.provider.journal.taken().length, others.length, 'by the next provider');
  });

  test('is used again when it works again', async () => {
    cloud.provider.plans.clear();
    const before = callsTaken();
    await until(
      async () => {
        assert.equal((await service.send('whatsapp')).status, 200);
        return callsTaken();
      },
      (count) => count > before,
    );
    assert.equal(await isOpen(), false);
    await cloud.sendWell();
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

  /** What a message of each has become, and who can be written to. */
  const everything = async () => ({
    rows: (await service.rows()).toSorted((a, b) => a.id.localeCompare(b.id)),
    contacts: await service.sql('select count(*)::integer as n from telegram_person'),
  });

  test('without a signature, or with a wrong one: 403, and nothing changes', async () => {
    await Promise.all([cloud, green, gateway, smsc].map((line) => line.untilConfirmed()));
    const before = await everything();
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
    assert.deepEqual(await everything(), before);
  });

  test('of a provider that is not there: 404', async () => {
    for (const name of ['mobizon', 'smpp', 'http-whatsapp', 'nobody', '']) {
      assert.equal((await call(name)).status, 404, name);
    }
  });

  test('too large: 413', async () => {
    for (const name of CONFIGURED) {
      const { status } = await call(name, { body: Buffer.alloc(BODY_BYTES_MAX + 1, ' ') });
      assert.equal(status, 413, name);
    }
  });

  test('while the database is away: 503, and taken when they are repeated', async () => {
    const sent = await cloud.send({ does: 'accept', receipts: [] });
    const { phone } = sent;
    const [message] = cloud.taken(phone);
    assert.ok(message);
    const report = webhook(genuine(), { statuses: [statusOf(message, 'delivered')] });
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
    assert.equal(await until(post, (status) => status !== 503), 200);
    assert.equal((await service.row(sent.id)).receipt, 'delivered');
    // As often as it comes.
    assert.equal(await post(), 200);
    assert.equal((await service.send('whatsapp', newPhone())).status, 200);
  });

  function genuine() {
    const { settings, url } = service;
    return {
      callbackUrl: `${url}/callbacks/whatsapp-cloud`,
      appSecret: String(settings.WHATSAPP_CLOUD_APP_SECRET),
      phoneNumberId: String(settings.WHATSAPP_CLOUD_PHONE_ID),
      wabaId: String(settings.WHATSAPP_CLOUD_WABA_ID),
    };
  }
});

describe('answers without end', () => {
  /** Sends many messages at once: how they ended, how long it took, and the most memory meanwhile. */
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

  test('64 of them at once take no more memory than 64 that are good', async () => {
    let usualBytes = 0;
    for (let round = 0; round < WARM_ROUNDS; round++) {
      const { statuses, peakBytes } = await sendMany();
      assert.deepEqual(statuses, new Set([200]));
      usualBytes = Math.max(usualBytes, peakBytes);
    }
    gateway.provider.plans.add(ENDLESS);
    const { statuses, peakBytes, ms } = await sendMany();
    gateway.provider.plans.clear();
    const ratio = peakBytes / usualBytes;
    console.log(
      `${ENDLESS_AT_ONCE} answers without end: ${ratio.toFixed(3)} of the usual memory ` +
        `(${Math.round(usualBytes / 2 ** 20)} MiB), over after ${Math.round(ms)} ms`,
    );
    assert.deepEqual(statuses, new Set([504]));
    assert.ok(ratio <= MEMORY_RATIO_MAX, `${ratio}`);
  });
});

test('the books agree, and nothing secret was logged', async () => {
  await service.check();
});
