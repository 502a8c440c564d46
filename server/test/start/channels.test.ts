import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Simulators, startAll } from '../../../simulators/all.ts';
import { startSmpp } from '../../../simulators/smpp/smpp.ts';
import { ask, createHome } from './serve-harness.ts';

const SERVICE = 'http://127.0.0.1:9';
/** How often doctor asks at most, until the server has told what it knows. */
const ROUNDS_MAX = 15;
const home = createHome();
let simulators: Simulators;
let settings: Record<string, string>;

before(async () => {
  simulators = await startAll({ serviceUrl: SERVICE });
  const { http: _generic, ...blocks } = simulators.settings;
  const urls = { PUBLIC_URL: SERVICE };
  settings = Object.assign(urls, ...Object.values(blocks));
});
after(async () => {
  await simulators.close();
  await home.remove();
});

type Check = { name: string; ok: boolean; warning?: true; detail: string };

async function diagnose(changed: Record<string, string> = {}) {
  const { out, code } = await home.run(['doctor', '--json'], { ...settings, ...changed });
  const { checks } = JSON.parse(out) as { checks: Check[] };
  const channels = checks.filter(({ name }) => name === 'channels');
  const payments = checks.filter(({ name }) => name === 'payments');
  return {
    out,
    code,
    failed: channels.filter(({ ok }) => !ok),
    // There is no backup of this database.
    warnings: checks.filter(({ name, warning }) => warning === true && name !== 'backup'),
    passed: channels.length,
    payments: payments.map(({ ok, detail }) => `${ok ? 'ok' : 'failed'} ${detail}`),
  };
}

test('doctor checks every configured provider and way to pay, with questions that change nothing', async () => {
  const { failed, passed, warnings, payments, code } = await diagnose({
    SELLER_NAME: 'ТОО «Жибер»',
    SELLER_BIN: '123456789012',
    SELLER_ADDRESS: 'Алматы',
    SELLER_IBAN: 'KZ00000000000000000A',
  });
  assert.deepEqual([failed, warnings], [[], []]);
  assert.deepEqual([passed, code], [7, 0]);
  assert.deepEqual(payments, [
    'ok kaspi: Takes the API key; the device is registered with the first order.',
    'ok freedom-pay: Knows the merchant, and its answers are signed.',
    'ok transfer: paid by statement, there is nobody to ask',
  ]);
  assert.equal(simulators['freedom-pay'].payments.length, 0);
  const paths = simulators.kaspi.journal.lines.flatMap((line) =>
    line.event === 'call' ? [line.path] : [],
  );
  assert.deepEqual(paths, ['/payment/status/0']);
});

test('doctor names providers with wrong credentials, and does not print the credentials', async () => {
  const wrong = {
    WHATSAPP_CLOUD_TOKEN: 'canary-cloud',
    GREEN_API_TOKEN: 'canary-green',
    TELEGRAM_GATEWAY_TOKEN: 'canary-gateway',
    TELEGRAM_BOT_TOKEN: '77:canary-bot',
    SMPP_PASSWORD: 'canary',
    SMSC_PASSWORD: 'canary-smsc',
    MOBIZON_KEY: 'canary-mobizon',
    FREEDOM_PAY_SECRET: 'canary-pay',
    KASPI_API_KEY: 'canary-kaspi',
  };
  const { failed, payments, out, code } = await diagnose(wrong);
  assert.deepEqual(
    failed.map(({ detail }) => detail.split(':')[0]),
    ['whatsapp-cloud', 'green-api', 'telegram-gateway', 'telegram-bot', 'smpp', 'smsc', 'mobizon'],
  );
  assert.deepEqual(payments, [
    'failed kaspi: Does not take the key: check KASPI_API_KEY.',
    'failed freedom-pay: Its answer has another signature: check FREEDOM_PAY_SECRET.',
  ]);
  assert.equal(code, 1);
  assert.doesNotMatch(out, /canary/);
});

test('doctor warns when external providers need an https callback address', async () => {
  const outside = {
    SMSC_URL: 'https://smsc.invalid',
    MOBIZON_URL: 'https://mobizon.invalid',
    FREEDOM_PAY_URL: 'https://pay.invalid',
  };
  for (const PUBLIC_URL of ['', 'http://zhiber.example']) {
    const { warnings } = await diagnose({ ...outside, PUBLIC_URL });
    assert.deepEqual(
      warnings.map(({ name, detail }) => [name, detail]),
      [
        [
          'callbacks',
          'PUBLIC_URL should be an https address, or smsc, mobizon cannot report delivery',
        ],
        [
          'callbacks',
          'PUBLIC_URL should be an https address, or freedom-pay cannot report payments',
        ],
      ],
    );
  }
  const { warnings } = await diagnose({ ...outside, PUBLIC_URL: 'https://zhiber.example' });
  assert.deepEqual(warnings, []);
});

test('doctor checks the templates, or warns that it could not', async () => {
  const otherBase = await diagnose({ SHORT_LINK_BASE: 'https://zhbr.kz' });
  assert.match(otherBase.failed[0]?.detail ?? '', /\/s\/\{\{1\}\}, not to https:\/\/zhbr\.kz\//);
  const { code, warnings } = await diagnose({ WHATSAPP_CLOUD_WABA_ID: '' });
  assert.equal(code, 0);
  assert.deepEqual(
    warnings.map(({ detail }) => detail),
    ['whatsapp-cloud: Sends as "Zhiber", quality GREEN; templates not checked.'],
  );
  const { out } = await home.run(['doctor'], { ...settings, WHATSAPP_CLOUD_WABA_ID: '' });
  assert.match(out, /^ {2}! Channels .*templates not checked\.$[\s\S]*warnings: 2\.\n$/m);
});

test('doctor reports a provider that is unreachable, or does not know us', async () => {
  const { failed, payments } = await diagnose({
    SMSC_URL: 'http://127.0.0.1:9',
    KASPI_URL: 'http://127.0.0.1:9/r1/v01',
    FREEDOM_PAY_MERCHANT_ID: '77',
  });
  assert.match(failed[0]?.detail ?? '', /^smsc: /);
  assert.deepEqual(payments, [
    'failed kaspi: Could not be reached.',
    'failed freedom-pay: Does not know the merchant: check FREEDOM_PAY_MERCHANT_ID.',
  ]);
});

test('beside a running server doctor asks it, and does not bind a second time', async (t) => {
  const centre = await startSmpp({ systemId: 'zhiber', password: 'k9-Wq2xZ' });
  t.after(() => centre.close());
  const link = {
    SMPP_HOST: '127.0.0.1',
    SMPP_PORT: String(centre.port),
    SMPP_SYSTEM_ID: 'zhiber',
    SMPP_PASSWORD: 'k9-Wq2xZ',
    SMPP_SENDER: 'Zhiber',
    PUBLIC_URL: 'https://zhiber.example',
    DATA_DIR: path.join(home.dataDir, '../live'),
  };
  const server = await home.serve(link);
  const diagnoseLink = async () => {
    const { out, code } = await home.run(['doctor', '--json'], link);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    const { ok, detail } = checks.find(({ name }) => name === 'channels') ?? {};
    return { code, ok, detail };
  };
  // The server tells others what it knows every few seconds.
  const until = async (isUp: boolean) => {
    for (;;) {
      const found = await diagnoseLink();
      if (found.ok === isUp && found.detail?.includes('(')) return found;
    }
  };
  const place = `127.0.0.1:${centre.port}`;
  const bound = await until(true);
  assert.ok(bound.detail?.startsWith(`smpp: Bound at ${place}. (`), bound.detail);
  assert.equal(centre.figures().binds, 1);

  await centre.close();
  const lost = await until(false);
  assert.ok(lost.detail?.startsWith(`smpp: Not bound at ${place}: `), lost.detail);
  assert.equal(lost.code, 1);
  await server.stop('SIGTERM');
});

test('doctor never says that all is fine while a running server keeps messages from a provider', async (t) => {
  const { smpp, smsc } = simulators.settings;
  const both = {
    ...smpp,
    ...smsc,
    PUBLIC_URL: 'https://zhiber.example',
    DATA_DIR: path.join(home.dataDir, '../failing'),
  };
  const server = await home.serve(both);
  const runJson = async (...args: string[]) => {
    const { out } = await home.run([...args, '--json'], both);
    return JSON.parse(out) as { company_id: number; key: string };
  };
  const { company_id: company } = await runJson('company', 'create', '--name', 'Тест');
  const { key } = await runJson('key', 'create', '--company', `${company}`, '--name', 'Сайт');
  t.after(() => {
    simulators.smpp.plans.clear();
    simulators.smsc.plans.clear();
  });
  // One that is bound, and one that answers every question well.
  simulators.smpp.plans.add({ does: 'fail', code: 0x08 });
  simulators.smsc.plans.add({ does: 'fail', code: 500, receipts: [] });
  const failing = async () => {
    const { out, code } = await home.run(['doctor', '--json'], both);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    assert.equal(code, checks.every(({ ok }) => ok) ? 0 : 1);
    return checks.flatMap(({ name, ok, detail }) =>
      name === 'channels' && !ok ? [detail.replace(/ \(.*\)$/, '')] : [],
    );
  };
  const opened = ['smpp', 'smsc'].map(
    (name) => `${name}: it failed several times in a row, and gets one message a second now`,
  );
  // The server tells others what it knows every few seconds.
  let sent = 0;
  let found: string[] = [];
  for (let round = 0; round < ROUNDS_MAX && found.length < opened.length; round++) {
    for (let failures = 0; failures < 12; failures++) {
      const phone = `+7701556${String(++sent).padStart(4, '0')}`;
      const call = { path: '/otp/send', key, body: { phone, channel: 'sms' } };
      assert.notEqual((await ask(server.facts.port, call)).status, 200);
    }
    found = await failing();
  }
  assert.deepEqual(found, opened);
  const { out, code } = await home.run(['doctor'], both);
  assert.equal(code, 1);
  assert.doesNotMatch(out, /Everything is fine/);
  await server.stop('SIGTERM');
});

type Tested = {
  provider: string | null;
  results: { provider: string; outcome: { result: string } }[];
};
async function testChannel(words: string, changed: Record<string, string> = {}) {
  const args = ['channel', 'test', ...words.split(' '), '--json'];
  const { out, code } = await home.run(args, { ...settings, ...changed });
  const { provider, results = [] } = JSON.parse(out) as Tested;
  return {
    code,
    out,
    provider,
    tried: results.map((result) => `${result.provider} ${result.outcome.result}`),
  };
}
/** The messages that the SMS providers took for a phone. */
function takenFor(phone: string) {
  return [simulators.smpp, simulators.smsc, simulators.mobizon].flatMap(({ name, journal }) =>
    journal
      .taken()
      .filter(({ to }) => to.replace('+', '') === phone)
      .map(({ text }) => ({ name, text })),
  );
}

test('channel test binds once and accepts no receipts, which are for the server', async () => {
  const { binds } = simulators.smpp.figures();
  simulators.smpp.plans.add({ to: '77015550008', does: 'accept', isEarly: true, times: 1 });
  const { provider } = await testChannel('sms +77015550008');
  assert.equal(provider, 'smpp');
  const { lines } = simulators.smpp.journal;
  assert(
    !lines.some((line) => line.event === 'receipt' && line.status === 0),
    'the command accepted a receipt',
  );
  assert.equal(simulators.smpp.figures().binds, binds + 1);
});

test('channel test sends one message like a real one', async () => {
  const { code, provider, tried, out } = await testChannel('sms +77015550001');
  assert.deepEqual([code, provider, tried], [0, 'smpp', ['smpp accepted']], out);
  const [taken, ...others] = takenFor('77015550001');
  assert.equal(taken?.name, 'smpp');
  assert.match(taken.text, /^Zhiber: код \d{6}/);
  assert.deepEqual(others, []);
});

test('channel test tries the next provider after a definite refusal', async () => {
  simulators.smpp.plans.add({ to: '77015550004', does: 'refuse', code: 0x0b, times: 1 });
  const { code, provider, tried, out } = await testChannel('sms +77015550004');
  const expected = [0, 'smsc', ['smpp refused', 'smsc accepted']];
  assert.deepEqual([code, provider, tried], expected, out);
  assert.equal(takenFor('77015550004').length, 1);
});

test('channel test sends by the provider given with --provider', async () => {
  const { code, provider, tried } = await testChannel('sms +77015550005 --provider mobizon');
  assert.deepEqual([code, provider, tried], [0, 'mobizon', ['mobizon accepted']]);
  const [taken] = takenFor('77015550005');
  assert.equal(taken?.name, 'mobizon');
  const wrong = await testChannel('sms +77015550005 --provider green-api');
  assert.equal(wrong.code, 2);
  assert.match(wrong.out, /--provider should be one of smpp, smsc, mobizon/);
});

test('channel test prints why no provider accepted the message', async () => {
  simulators.cloud.plans.add({ does: 'refuse', code: 131026, times: 1 });
  const args = ['channel', 'test', 'whatsapp', '+77015550002', '--provider', 'whatsapp-cloud'];
  const { out, code } = await home.run(args, settings);
  assert.match(out, /whatsapp-cloud: refused: .*WhatsApp/);
  assert.equal(code, 1);
  const { code: botCode, out: botOut } = await home.run(
    ['channel', 'test', 'telegram', '+77015550006', '--provider', 'telegram-bot'],
    settings,
  );
  assert.deepEqual([botCode, botOut], [1, '  refused: Канал не может доставить это сообщение\n']);
});

test('channel test refuses phones that the service would refuse', async () => {
  const premium = await testChannel('whatsapp +78091234567');
  assert.match(premium.out, /premium/);
  const abroad = await testChannel('sms +491701234567');
  assert.match(abroad.out, /SMS_COUNTRIES/);
  assert.deepEqual([premium.code, abroad.code], [1, 1]);
  assert.deepEqual([takenFor('78091234567'), takenFor('491701234567')], [[], []]);
  const { code } = await testChannel('sms +491701234567', { SMS_COUNTRIES: 'KZ,DE' });
  assert.equal(code, 0);
});

test('channel test fails without a provider or with an invalid phone', async () => {
  const none = await home.run(['channel', 'test', 'sms', '+77015550003']);
  assert.match(none.err, /No provider is configured for SMS/);
  const bad = await home.run(['channel', 'test', 'sms', 'me'], settings);
  assert.match(bad.err, /"me" is not a phone number/);
  assert.deepEqual([none.code === 0, bad.code === 0], [false, false]);
});

test('bot connect registers the webhook at Telegram', async () => {
  const { code } = await home.run(['bot', 'connect'], {
    ...settings,
    PUBLIC_URL: 'http://localhost:9',
  });
  assert.equal(code, 0);
});
