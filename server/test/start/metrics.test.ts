/** What an operator watches: a scrape of a server that sends by simulators of real providers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type FaultService, openServices, waitFor } from '../faults/fault-service.ts';

const DEPLOY = path.join(import.meta.dirname, '../../../deploy');
let service: FaultService;

before(async () => {
  [service] = await openServices([
    (all) => ({ ...all.whatsapp_cloud, ...all.telegram_gateway, ...all.smpp, ...all.smsc }),
  ] as const);
});
after(() => service.close());

/** The value of one line of the scrape; undefined while there is none. */
async function read(line: string): Promise<number | undefined> {
  const found = (await service.metrics()).split('\n').find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
}

test('a scrape tells requests, attempts, receipts, times to delivery, balances and money', async () => {
  // A link that is just bound gets the first messages.
  await waitFor(
    () => read('zhiber_provider_up{provider="smpp"}'),
    (up) => up === 1,
  );
  const whatsapp = await service.send('whatsapp');
  const sms = await service.send('sms');
  assert.deepEqual([whatsapp.status, sms.status], [200, 200]);
  await service.send('sms', '+77010000001', { withKey: 'zhb_live_nobody' });
  await fetch(`${service.url}/api/nowhere/17`, { method: 'POST' });
  await service.waitForRow(sms.id, ({ receipt }) => receipt === 'delivered');
  await service.waitForRow(whatsapp.id, ({ receipt }) => receipt === 'read');

  const sent = 'zhiber_http_requests_total{route="/api/otp/send",status=';
  assert.equal(await read(`${sent}"200",code=""}`), 2);
  assert.equal(await read(`${sent}"401",code="invalid_api_key"}`), 1);
  assert.equal(
    await read('zhiber_http_requests_total{route="api",status="404",code="not_found"}'),
    1,
  );
  assert.equal(await read('zhiber_http_seconds_count{route="/api/otp/send"}'), 3);
  const attempts = 'zhiber_provider_attempts_total{channel="sms",provider="smpp",outcome=';
  assert.equal(await read(`${attempts}"accepted"}`), 1);
  assert.equal(await read('zhiber_receipts_total{provider="smpp",receipt="delivered"}'), 1);
  assert.equal(await read('zhiber_delivery_seconds_count{provider="smpp"}'), 1);
  assert.equal(await read('zhiber_delivery_seconds_bucket{le="60",provider="smpp"}'), 1);
  assert.equal(await read('zhiber_receipts_total{provider="whatsapp-cloud",receipt="read"}'), 1);
  assert.equal(
    await read('zhiber_delivery_seconds_count{provider="whatsapp-cloud"}'),
    await read('zhiber_receipts_total{provider="whatsapp-cloud",receipt="delivered"}'),
    'a receipt that it was read is no delivery',
  );
  assert.equal(await read('zhiber_charged_tokens_total{channel="sms"}'), 8);
  assert.equal(await read('zhiber_charged_tokens_total{channel="whatsapp"}'), 3);
  const balance = await waitFor(
    () => read('zhiber_provider_balance{provider="smsc",currency="KZT"}'),
    (found) => found !== undefined,
  );
  assert.ok((balance ?? 0) > 0);
  const [accounts] = await service.sql<{ held: number }>(
    'select sum(held)::integer as held from account',
  );
  assert.equal(await read('zhiber_account_tokens{kind="held"}'), accounts?.held);
  assert.equal(await read('zhiber_payment_tokens_total{kind="refunded"}'), 0);
});

test('every metric of the dashboard and of the alerts is in a scrape', async () => {
  const names = new Set(
    (await service.metrics()).match(/^# TYPE (\w+) (\w+)$/gm)?.map((line) => line.split(' ')[2]),
  );
  const files = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /dashboard.*\.json$|alerts.*\.yml$/.test(name),
  );
  assert.equal(files.length, 2, files.join());
  for (const file of files) {
    const text = readFileSync(path.join(DEPLOY, file), 'utf8');
    const used = new Set(text.match(/\b(?:zhiber|nodejs|process)_[a-z0-9_]+/g));
    assert.ok(used.size >= 10, `${file} names ${used.size} metrics`);
    for (const name of used) {
      const base = name.replace(/_(?:bucket|count|sum)$/, '');
      assert.ok(names.has(name) || names.has(base), `${file}: ${name}`);
    }
  }
});

test('Prometheus itself takes the alert rules', { skip: !hasPromtool() && 'no promtool' }, () => {
  const rules = path.join(DEPLOY, 'prometheus-alerts.yml');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rules]);
  assert.equal(status, 0, `${stdout}${stderr}`);
});

function hasPromtool(): boolean {
  return spawnSync('promtool', ['--version']).status === 0;
}
