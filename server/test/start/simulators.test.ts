import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { parseEnv } from 'node:util';
import { NAMES } from '../../../simulators/names.ts';
import { readConfig } from '../../src/config/config.ts';
import { createSimulators, type Printed, type Simulated, sendSms } from './simulators-harness.ts';

const home = createSimulators();
afterEach(() => home.endAll());
after(() => home.remove());

async function printSettings(...args: string[]) {
  const { code, out, err } = await home.run(['--settings', ...args]);
  assert.equal(code, 0, err);
  const config = readConfig(parseEnv(out));
  return { out, config, order: config.providers.map(({ name }) => name) };
}

/** Retries with other ports, because another process may take one of the range at any moment. */
async function startOnFreePorts(...args: string[]): Promise<Simulated & { first: string }> {
  for (let tries = 1; ; tries++) {
    const first = String(20_000 + Math.floor(Math.random() * 1_000) * 10);
    try {
      return { ...(await home.simulate('--port', first, ...args)), first };
    } catch (error) {
      assert.ok(tries < 5 && /is taken/.test(String(error)), String(error));
    }
  }
}

const isListening = ({ control }: Pick<Printed, 'control'>) =>
  fetch(`${control}/_simulator/journal`).then(
    ({ ok }) => ok,
    () => false,
  );
const readJournal = ({ journal }: Printed) => readFileSync(path.join(home.dir, journal), 'utf8');

test('all simulators start, each with its own address, control address and journal', async () => {
  const { printed } = await home.simulate('--port', '0');
  assert.deepEqual(Object.keys(printed), [...NAMES]);
  for (const simulator of Object.values(printed)) {
    assert.ok(await isListening(simulator), simulator.control);
    assert.equal(readJournal(simulator), '', simulator.journal);
  }
  assert.match(printed.smpp?.url ?? '', /^smpp:/);
  assert.equal(new Set(Object.values(printed).map(({ journal }) => journal)).size, NAMES.length);
});

test('--settings prints settings that connect a service to all simulators', async () => {
  const { config, order } = await printSettings();
  assert.deepEqual(order, [
    ...['whatsapp-cloud', 'green-api'],
    ...['telegram-gateway', 'telegram-bot'],
    ...['smpp', 'smsc', 'mobizon', 'http-sms'],
  ]);
  assert.deepEqual([config.publicUrl, config.port], ['http://localhost:3000', 3000]);
  const otherService = await printSettings('--service', 'https://zhiber.example/');
  assert.equal(otherService.config.publicUrl, 'https://zhiber.example');
  assert.equal(otherService.config.isPortSet, false);
});

test('--settings with --only names only those simulators, in the default order', async () => {
  assert.deepEqual((await printSettings('--only', 'smsc,smpp')).order, ['smpp', 'smsc']);
  assert.deepEqual((await printSettings('--only', 'telegram-bot')).order, ['telegram-bot']);
  const { order } = await printSettings('--only', 'http,smsc');
  assert.deepEqual(order, ['http-whatsapp', 'http-telegram', 'smsc', 'http-sms']);
});

test('--only starts simulators on the ports that they have among all', async () => {
  const some = await startOnFreePorts('--only', 'smsc,smpp');
  assert.deepEqual(Object.keys(some.printed), ['smpp', 'smsc']);
  const cloud = { control: `http://127.0.0.1:${some.first}` };
  assert.equal(await isListening(cloud), false);

  const { config } = await printSettings('--port', some.first, '--only', 'smsc,smpp');
  const [smpp, smsc] = config.providers;
  assert.equal(smsc?.values.url, some.at('smsc').url);
  assert.equal(`smpp://${smpp?.values.host}:${smpp?.values.port}`, some.at('smpp').url);

  const others = await home.simulate('--port', some.first, '--only', 'whatsapp-cloud,http');
  assert.deepEqual(Object.keys(others.printed), ['whatsapp-cloud', 'http']);
  assert.ok((await isListening(cloud)) && (await isListening(some.at('smsc'))));

  const again = await home.run(['--port', some.first, '--only', 'smsc']);
  assert.deepEqual([again.code, again.out], [1, '']);
  assert.match(again.err, /^Port \d+ is taken, .*\n$/);
});

test('--settings starts no simulator and writes no journal', async () => {
  await printSettings('--journal', 'nowhere', '--port', '29000');
  assert.equal(existsSync(path.join(home.dir, 'nowhere')), false);
});

test('a restart appends to the journal and does not reuse ids', async () => {
  const args = ['--port', '0', '--only', 'smsc,mobizon', '--journal', 'kept/here'];
  const sendByMobizon = async (simulated: Simulated) => {
    const { url } = simulated.at('mobizon');
    const query = 'output=json&api=v1&apiKey=kzsimulated0000000000000000';
    const response = await fetch(`${url}/service/message/sendSmsMessage?${query}`, {
      method: 'POST',
      body: new URLSearchParams({ recipient: '77010000001', text: 'Код' }),
    });
    return ((await response.json()) as { data: { messageId: string } }).data.messageId;
  };
  const first = await home.simulate(...args);
  await sendSms(first.at('smsc'), '77010000001');
  const firstId = await sendByMobizon(first);
  const { code } = await first.stop('SIGTERM');
  const kept = readJournal(first.at('smsc'));
  assert.equal(code, 0);
  assert.equal(first.at('smsc').journal, path.join('kept/here', 'smsc.jsonl'));
  assert.match(kept, /^\{"event":"taken".*"to":"77010000001"/);

  const second = await home.simulate(...args);
  await sendSms(second.at('smsc'), '77010000002');
  const appended = readJournal(second.at('smsc'));
  assert.ok(appended.startsWith(kept));
  assert.match(appended.slice(kept.length), /^\{"event":"taken".*"to":"77010000002"/);
  assert.ok(Number(await sendByMobizon(second)) > Number(firstId));
  assert.match(readJournal(second.at('mobizon')), /\n.*\n$/);
});

const WRONG: Record<string, [args: string[], sentence: RegExp]> = {
  'an unknown name': [
    ['--only', 'smsc,sms'],
    /^There is no simulator "sms"; there are: whats.*http/,
  ],
  'no name': [['--only', ''], /^--only needs a value, as in --only smsc,smpp\./],
  'an option in place of a name': [['--only', '--settings'], /^--only needs a value/],
  'an unknown flag': [['--all'], /^There is no option "--all"; the options are: --only, /],
  'a short flag': [['-s'], /^There is no option "-s"; /],
  'a stray word': [['smsc'], /^There is no option "smsc"; /],
  'a value for a flag': [['--settings=yes'], /^--settings takes no value\./],
  'an invalid port': [['--port', 'first'], /^--port should be a number from 0 to 65524, not "f/],
  'a port too high': [['--port', '65525'], /^--port should be a number from 0 to 65524/],
  'settings with random ports': [['--settings', '--port', '0'], /^--settings needs fixed ports/],
  'an invalid service address': [
    ['--service', 'localhost:3000'],
    /^--service should be an address/,
  ],
  'a file in place of a folder': [
    ['--journal', path.join(import.meta.dirname, 'simulators.test.ts')],
    /^The journals cannot be written to .*; choose another folder with --journal\./,
  ],
};
for (const [name, [args, sentence]] of Object.entries(WRONG)) {
  test(`${name} is answered with one sentence`, async () => {
    const { code, out, err } = await home.run(args);
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, sentence);
    assert.equal(err.trim().split('\n').length, 1);
  });
}
