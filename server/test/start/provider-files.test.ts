/** The terminal with a gateway that a file describes. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import {
  EXAMPLES,
  formJsonGateway,
  plainTextGateway,
  SECRETS,
  withAddress,
} from '../providers/rig/gateways.ts';
import { serve } from '../providers/rig/local-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createHome } from './serve-harness.ts';

const gateway = plainTextGateway();
const url = await serve({ after }, gateway.app);
const folder = createTemporaryFolder('provider-files');
const home = createHome();
after(() => home.remove());

function settingsWith(change: (text: string) => string = (text) => text) {
  const file = path.join(folder, 'plain-text.json');
  const example = readFileSync(path.join(EXAMPLES, 'plain-text.json'), 'utf8');
  writeFileSync(file, change(withAddress(example, url)));
  return { ...SECRETS, PROVIDER_FILES: file, PUBLIC_URL: 'http://127.0.0.1:9' };
}

async function diagnose(settings: Record<string, string>) {
  const { out } = await home.run(['doctor', '--json'], settings);
  const { checks } = JSON.parse(out) as { checks: { name: string; ok: boolean; detail: string }[] };
  return checks.filter(({ name }) => name === 'channels').map(({ ok, detail }) => ({ ok, detail }));
}

test('doctor asks the gateway for the balance', async () => {
  const detail = 'plain-sms: The gateway works; the balance is 1520.50 KZT.';
  assert.deepEqual(await diagnose(settingsWith()), [{ ok: true, detail }]);
  const [wrong] = await diagnose({ ...settingsWith(), PROVIDER_SECRET_PLAIN_LOGIN: 'somebody' });
  assert.equal(wrong?.ok, false);
  assert.doesNotMatch(wrong.detail, /somebody/);
});

test('channel test sends one message by it', async () => {
  const args = ['channel', 'test', 'sms', '+77010000001', '--provider', 'plain-sms', '--json'];
  const { code, out } = await home.run(args, settingsWith());
  assert.equal(code, 0, out);
  assert.partialDeepStrictEqual(JSON.parse(out), { channel: 'sms', provider: 'plain-sms' });
  assert.deepEqual(
    gateway.taken.map(({ to }) => to),
    ['77010000001'],
  );
});

test('the gateway is told where receipts go', async () => {
  const form = formJsonGateway();
  const file = path.join(folder, 'form-json.json');
  const example = readFileSync(path.join(EXAMPLES, 'form-json.json'), 'utf8');
  writeFileSync(file, withAddress(example, await serve({ after }, form.app)));
  const settings = { ...settingsWith(), PROVIDER_FILES: file };
  const { code, out } = await home.run(['channel', 'test', 'sms', '+77010000001'], settings);
  assert.equal(code, 0, out);
  const others = { ttl: '300', report_to: 'http://127.0.0.1:9/callbacks/form-sms' };
  assert.deepEqual(form.taken[0]?.others, others);
});

test('the server does not start with a wrong file, and names its mistakes', async () => {
  const settings = settingsWith((text) => text.replace('{{text}}', '{{txt}}'));
  const { code, err } = await home.run(['serve'], settings);
  assert.equal(code, 1);
  assert.match(
    err,
    /plain-text\.json: send\.query\.text: has \{\{txt\}\}, which is not known here/,
  );
});
