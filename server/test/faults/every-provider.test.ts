/**
 * Runs every fault case against every provider with real sends, prints the results as one table,
 * and finally compares the database with the journals of the providers.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Settings } from '../start/serve-harness.ts';
import { addToSummary } from '../test-summary.ts';
import { scheduleFor } from './fault-cases.ts';
import { describeSmsc, type FaultService, openServices, type Row } from './fault-service.ts';
import { createResults } from './results-table.ts';
import {
  assertConsistent,
  createTestedProvider,
  type FaultCase,
  type TestedName,
  type TestedProvider,
} from './tested-provider.ts';

/** Enough for the service to notice that its connections were closed. */
const CLOSING_MS = 200;
const NO_SUCH_HOST = 'no-such-host.invalid';

const results = createResults();
const services: FaultService[] = [];
const testedProviders: TestedProvider[] = [];
/**
 * Only configured so that every service has all channels. Its adapter is that of `http-whatsapp`,
 * and nothing in the adapter depends on the channel.
 */
const NOT_TESTED: TestedName = 'http-telegram';

before(async () => {
  const opened = await openServices([
    (all) => ({ ...all.whatsapp_cloud, ...all.telegram_gateway, ...all.smpp }),
    (all) => ({ ...all.green_api, ...all.telegram_bot, ...all.smsc }),
    (all) => ({ ...all.http('whatsapp'), ...all.http('telegram'), ...all.mobizon }),
    (all) => ({ ...all.http('telegram'), ...all.described }),
  ] as const);
  services.push(...opened);
  const [first, second, third, fourth] = opened;
  testedProviders.push(
    ...(['whatsapp-cloud', 'telegram-gateway', 'smpp'] as const).map((n) =>
      createTestedProvider(first, n),
    ),
    ...(['green-api', 'telegram-bot', 'smsc'] as const).map((n) => createTestedProvider(second, n)),
    ...(['http-whatsapp', 'http-telegram', 'mobizon'] as const).map((n) =>
      createTestedProvider(third, n),
    ),
    ...(['http-telegram', 'smsc-by-file'] as const).map((n) => createTestedProvider(fourth, n)),
  );
});
after(async () => {
  await Promise.all(services.map((service) => service.close()));
});

test('under every fault a provider sends at most one message, and only success is charged', async () => {
  const underTest = testedProviders.filter(({ name }) => name !== NOT_TESTED);
  await Promise.all(underTest.map(runAllCases));
  await Promise.all(services.map(runSlowProviderCases));
  const phones = new Map(await Promise.all(underTest.map(withPhone)));
  await Promise.all(services.map((service) => runConnectionRefusedCases(service, phones)));
  await runUnresolvedNameCases(underTest, phones);
  addToSummary(results.table(underTest));
  assert.deepEqual(results.failures(), []);
});

test('every expected receipt has arrived, and no lower one has replaced it', async () => {
  for (const service of services) {
    const rows = new Map((await service.rows()).map((row) => [row.id, row]));
    for (const tested of testedProviders.filter((provider) => provider.service === service)) {
      for (const [id, highestReceipt] of tested.expectedReceipts) {
        assert.equal(rows.get(id)?.receipt, highestReceipt, `${tested.name} ${id}`);
      }
    }
  }
});

test('the database agrees with the journals of the providers', async () => {
  await Promise.all(services.map((service) => service.assertInvariants()));
  for (const service of services) {
    for (const row of await service.rows()) assertMatchesJournals(service, row);
  }
});

/** Runs the cases of answers and receipts; after each a send without faults must succeed. */
async function runAllCases(tested: TestedProvider): Promise<void> {
  const { groups, slow, last } = scheduleFor(tested);
  const run = (faultCase: FaultCase) => results.run(tested, faultCase);
  const slowCases = Promise.all(slow.map(run));
  for (const group of groups) {
    await Promise.all(group.map(run));
    for (const { faultClass, name } of group.slice(0, 1)) {
      await run({ faultClass, name: `a send without faults after ${name}`, run: sendSuccessfully });
    }
  }
  await slowCases;
  await run({ faultClass: 'P2', name: 'a send without faults at the end', run: sendSuccessfully });
  await run(last);
}

async function sendSuccessfully(tested: TestedProvider): Promise<void> {
  await tested.sendSuccessfully();
}

/** A provider that does not answer for a while must not delay the others. */
async function runSlowProviderCases(service: FaultService): Promise<void> {
  const sameService = testedProviders.filter((tested) => tested.service === service);
  for (const tested of sameService) {
    await results.run(tested, {
      faultClass: 'P8',
      name: 'slow',
      async run() {
        const { promise: released, resolve: release } = Promise.withResolvers<void>();
        const slow = tested.send({ does: 'accept', released }).then((sent) => {
          isSent = true;
          return sent;
        });
        let isSent = false;
        const others = sameService.filter((other) => other !== tested);
        await Promise.all(others.map(sendSuccessfully)).finally(release);
        assert.equal(isSent, false, 'the other providers waited for the slow one');
        const sent = await slow;
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
        const taken = tested.taken(sent.phone).length;
        await assertConsistent(service, sent, { price: tested.price, taken });
      },
    });
  }
}

type Phones = ReadonlyMap<TestedProvider, string>;

const withPhone = async (tested: TestedProvider) => [tested, await tested.phone()] as const;

/** Stops the simulators, so that every provider refuses connections. */
async function runConnectionRefusedCases(service: FaultService, phones: Phones): Promise<void> {
  const sameService = testedProviders.filter(
    (tested) => tested.service === service && phones.has(tested),
  );
  for (const tested of sameService) await tested.provider.settle();
  await service.simulators.close();
  await pause(CLOSING_MS);
  for (const tested of sameService) {
    await results.run(tested, {
      faultClass: 'P1',
      name: 'connection refused',
      async run() {
        const sent = await service.send(tested.channel, phones.get(tested));
        assert.equal(sent.status, 502, JSON.stringify(sent.body));
        await assertConsistent(service, sent, { price: tested.price, taken: 0 });
        // A failed send does not count against the limit of one per minute and phone.
        assert.equal((await service.send(tested.channel, sent.phone)).status, 502);
      },
    });
  }
}

/**
 * Restarts one service with all providers at a host name that does not resolve. Each send tries all
 * providers of its channel.
 */
async function runUnresolvedNameCases(
  underTest: readonly TestedProvider[],
  phones: Phones,
): Promise<void> {
  // Only this service knows the contacts that were shared with the bot.
  const bot = testedProviders.find(({ name }) => name === 'telegram-bot') as TestedProvider;
  const { service } = bot;
  const { http, described: _, ...others } = service.simulators.settings;
  const all: Settings = Object.assign({}, http('whatsapp'), ...Object.values(others));
  Object.assign(all, describeSmsc(service.dataDir, `http://${NO_SUCH_HOST}`));
  const changed = Object.entries(all).map(([name, value]) => [
    name,
    value?.replace('127.0.0.1', NO_SUCH_HOST),
  ]);
  await service.kill();
  await service.start(Object.fromEntries(changed));
  for (const channel of CHANNELS) {
    const sent = await service.send(channel, phones.get(bot));
    for (const tested of underTest.filter((provider) => provider.channel === channel)) {
      await results.run(tested, {
        faultClass: 'P1',
        name: 'a host name that does not resolve',
        async run() {
          assert.equal(sent.status, 502, JSON.stringify(sent.body));
          await assertConsistent(service, sent, { price: tested.price, taken: 0 });
          const { attempts } = await service.readProviderStats(tested.name);
          assert.deepEqual(attempts, { accepted: 0, refused: 0, unavailable: 1, unknown: 0 });
        },
      });
    }
  }
}

/** Compares one message in the database with the journals of all providers of its service. */
function assertMatchesJournals(service: FaultService, row: Row): void {
  const details = JSON.stringify(row);
  const sameService = testedProviders.filter((tested) => tested.service === service);
  const takers = sameService.filter(({ channel }) => channel === row.channel);
  const taken = takers.flatMap((tested) => tested.taken(`+${row.recipient}`));
  assert.equal(row.hold, 0, details);
  assert.ok(taken.length <= 1, `taken more than once: ${details}`);
  if (row.state === 'sent') {
    const name = row.provider_id?.split(':')[0] as TestedName;
    assert.equal(taken.length, 1, `charged, but not in the journal: ${details}`);
    assert.equal(row.charged, takers.find((tested) => tested.name === name)?.price, details);
  } else {
    assert.equal(row.charged, 0, details);
  }
  if (row.state === 'failed') assert.equal(taken.length, 0, `failed, but taken: ${details}`);
  assert.notEqual(row.state, 'sending', details);
}
