/**
 * Every provider under every fault, in one table: a real service, a real send for each, and the
 * books of both sides compared when all is over.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { ProviderName } from '../../src/config/provider-settings.ts';
import { sayAtEnd } from '../say-at-end.ts';
import type { Settings } from '../start/serve-harness.ts';
import { type FaultService, openServices, type Row } from './fault-service.ts';
import { assertTrue, type Line, lineOf } from './lines.ts';
import { createScore } from './score.ts';
import type { Trial } from './trial.ts';
import { courseOf } from './trials.ts';

/** Ten times what a provider may take that is near, and slow as they are. */
const SLOW_MS = 1_000;
/** What a closed connection needs to be noticed by the other side. */
const CLOSING_MS = 200;
const NO_SUCH_HOST = 'no-such-host.invalid';

const score = createScore();
const services: FaultService[] = [];
const lines: Line[] = [];
/**
 * Configured so that every service has all channels. It is the same adapter as `http-whatsapp`, as
 * `http-sms` is: nothing in it depends on the channel.
 */
const NOT_ON_TRIAL: ProviderName = 'http-telegram';

before(async () => {
  const opened = await openServices([
    (all) => ({ ...all.whatsapp_cloud, ...all.telegram_gateway, ...all.smpp }),
    (all) => ({ ...all.green_api, ...all.telegram_bot, ...all.smsc }),
    (all) => ({ ...all.http('whatsapp'), ...all.http('telegram'), ...all.mobizon }),
  ] as const);
  services.push(...opened);
  const [first, second, third] = opened;
  lines.push(
    ...(['whatsapp-cloud', 'telegram-gateway', 'smpp'] as const).map((n) => lineOf(first, n)),
    ...(['green-api', 'telegram-bot', 'smsc'] as const).map((n) => lineOf(second, n)),
    ...(['http-whatsapp', 'http-telegram', 'mobizon'] as const).map((n) => lineOf(third, n)),
  );
});
after(async () => {
  await Promise.all(services.map((service) => service.close()));
});

test('every provider under every fault: one message at most, and a charge for a success alone', async () => {
  const onTrial = lines.filter(({ name }) => name !== NOT_ON_TRIAL);
  await Promise.all(onTrial.map(goThrough));
  await Promise.all(services.map(slowDown));
  const phones = new Map(await Promise.all(onTrial.map(withPhone)));
  await Promise.all(services.map((service) => goAway(service, phones)));
  await loseNames(onTrial, phones);
  sayAtEnd(score.table(onTrial));
  assert.deepEqual(score.failures(), []);
});

test('every receipt has come, and none has taken a better one back', async () => {
  for (const service of services) {
    const rows = new Map((await service.rows()).map((row) => [row.id, row]));
    for (const line of lines.filter((one) => one.service === service)) {
      for (const [id, best] of line.awaited) {
        assert.equal(rows.get(id)?.receipt, best, `${line.name} ${id}`);
      }
    }
  }
});

test('the books of the service and those of the providers agree', async () => {
  await Promise.all(services.map((service) => service.check()));
  for (const service of services) {
    for (const row of await service.rows()) compare(service, row);
  }
});

/** The faults of answers and receipts; after each the provider works as before. */
async function goThrough(line: Line): Promise<void> {
  const { groups, beside, last } = courseOf(line);
  const run = (trial: Trial) => score.run(line, trial);
  const slow = Promise.all(beside.map(run));
  for (const group of groups) {
    await Promise.all(group.map(run));
    for (const { column, name } of group.slice(0, 1)) {
      await run({ column, name: `a good send after ${name}`, run: sendWell });
    }
  }
  await slow;
  await run({ column: 'P2', name: 'a good send after all', run: sendWell });
  await run(last);
}

async function sendWell(line: Line): Promise<void> {
  await line.sendWell();
}

/** A provider that is ten times slower holds up nobody but itself. */
async function slowDown(service: FaultService): Promise<void> {
  const own = lines.filter((line) => line.service === service);
  for (const line of own) {
    await score.run(line, {
      column: 'P8',
      name: 'ten times slower',
      async run() {
        const slow = line.send({ does: 'accept', delayMs: SLOW_MS }).then((sent) => {
          isOver = true;
          return sent;
        });
        let isOver = false;
        await Promise.all(own.filter((other) => other !== line).map(sendWell));
        assert.equal(isOver, false, 'others waited for it');
        const sent = await slow;
        assert.equal(sent.status, 200, JSON.stringify(sent.body));
        const taken = line.taken(sent.phone).length;
        await assertTrue(service, sent, { price: line.price, taken });
      },
    });
  }
}

type Phones = ReadonlyMap<Line, string>;

const withPhone = async (line: Line) => [line, await line.phone()] as const;

/** Nobody answers at a provider's address any more. */
async function goAway(service: FaultService, phones: Phones): Promise<void> {
  const own = lines.filter((line) => line.service === service && phones.has(line));
  for (const line of own) await line.provider.settle();
  await service.simulators.close();
  await pause(CLOSING_MS);
  for (const line of own) {
    await score.run(line, {
      column: 'P1',
      name: 'connection refused',
      async run() {
        const sent = await service.send(line.channel, phones.get(line));
        assert.equal(sent.status, 502, JSON.stringify(sent.body));
        await assertTrue(service, sent, { price: line.price, taken: 0 });
        // The minute of the phone is free again.
        assert.equal((await service.send(line.channel, sent.phone)).status, 502);
      },
    });
  }
}

/**
 * Nobody knows a provider's name any more. One service has them all, so that each send by a channel
 * goes from one provider to the next.
 */
async function loseNames(onTrial: readonly Line[], phones: Phones): Promise<void> {
  // Only this one knows who has shown a phone to the bot.
  const bot = lines.find(({ name }) => name === 'telegram-bot') as Line;
  const { service } = bot;
  const { http, ...others } = service.simulators.settings;
  const all: Settings = Object.assign({}, http('whatsapp'), ...Object.values(others));
  const changed = Object.entries(all).map(([name, value]) => [
    name,
    value?.replace('127.0.0.1', NO_SUCH_HOST),
  ]);
  await service.kill();
  await service.start(Object.fromEntries(changed));
  for (const channel of CHANNELS) {
    const sent = await service.send(channel, phones.get(bot));
    for (const line of onTrial.filter((one) => one.channel === channel)) {
      await score.run(line, {
        column: 'P1',
        name: 'a name that does not resolve',
        async run() {
          assert.equal(sent.status, 502, JSON.stringify(sent.body));
          await assertTrue(service, sent, { price: line.price, taken: 0 });
          const { attempts } = await service.figuresOf(line.name);
          assert.deepEqual(attempts, { accepted: 0, refused: 0, unavailable: 1, unknown: 0 });
        },
      });
    }
  }
}

/** One message of the database against the journals of all providers of its service. */
function compare(service: FaultService, row: Row): void {
  const said = JSON.stringify(row);
  const own = lines.filter((line) => line.service === service);
  const takers = own.filter(({ channel }) => channel === row.channel);
  const taken = takers.flatMap((line) => line.taken(`+${row.recipient}`));
  assert.equal(row.hold, 0, said);
  assert.ok(taken.length <= 1, `taken more than once: ${said}`);
  if (row.state === 'sent') {
    const name = row.provider_id?.split(':')[0] as ProviderName;
    assert.equal(taken.length, 1, `charged and not in the journal: ${said}`);
    assert.equal(row.charged, takers.find((line) => line.name === name)?.price, said);
  } else {
    assert.equal(row.charged, 0, said);
  }
  if (row.state === 'failed') assert.equal(taken.length, 0, `failed and taken: ${said}`);
  assert.notEqual(row.state, 'sending', said);
}
